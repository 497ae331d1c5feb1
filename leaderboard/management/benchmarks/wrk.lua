-- Arguments: a path in which PLAYER stands for an id, the first id, how many players there are,
-- milliseconds to wait before each request (0: none), an Accept-Encoding (empty: none).
local path, first, players, headers

function init(args)
   path, first, players = args[1], tonumber(args[2]), tonumber(args[3])
   local pause = tonumber(args[4])
   headers = { ["Accept"] = "application/json" }
   if args[5] ~= "" then headers["Accept-Encoding"] = args[5] end
   if pause > 0 then
      -- Between nothing and twice the pause, so that connections do not march in step.
      function delay() return math.random(0, 2 * pause) end
   end
   math.randomseed(os.time())
end

function request()
   local id = string.format("%d", first + math.random(0, players - 1))
   return wrk.format("GET", string.gsub(path, "PLAYER", id), headers)
end

function done(summary, latency, requests)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '\n{"requests": %d, "seconds": %f, "failed": %d, "p50": %f, "p95": %f, "p99": %f}\n',
      summary.requests, summary.duration / 1e6, failed,
      latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3))
end
