-- Arguments: paths with blanks between them, one of which is drawn for each request, the first id,
-- how many players there are, milliseconds to wait before each request (0: none), an
-- Accept-Encoding (empty: none), a body (empty: GET). PLAYER in a path or body stands for an id.
local paths, first, players, headers, body = {}, nil, nil, nil, nil

function init(args)
   for path in string.gmatch(args[1], "%S+") do table.insert(paths, path) end
   first, players = tonumber(args[2]), tonumber(args[3])
   local pause = tonumber(args[4])
   headers = { ["Accept"] = "application/json" }
   if args[5] and args[5] ~= "" then headers["Accept-Encoding"] = args[5] end
   if args[6] and args[6] ~= "" then
      body = args[6]
      headers["Content-Type"] = "application/json"
   end
   if pause > 0 then
      -- Between nothing and twice the pause, so that connections do not march in step.
      function delay() return math.random(0, 2 * pause) end
   end
   math.randomseed(os.time())
end

local function player()
   return string.format("%d", first + math.random(0, players - 1))
end

function request()
   local path = string.gsub(paths[math.random(#paths)], "PLAYER", player)
   if body then
      return wrk.format("POST", path, headers, (string.gsub(body, "PLAYER", player)))
   end
   return wrk.format("GET", path, headers)
end

function done(summary, latency, requests)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\n{"requests": %d, "seconds": %f, "failed": %d, "bytes": %d,'
         .. ' "p50": %f, "p95": %f, "p99": %f}\n',
      summary.requests, summary.duration / 1e6, failed, summary.bytes,
      latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3))
end
