-- Gives the bests that a rebuild filled the indexes of their parent, in the order in which an
-- attachment would: it finds them there, and locks the parent for milliseconds only.
ALTER TABLE scores_best_n%(namespace)s
ADD CONSTRAINT scores_best_n%(namespace)s_pkey PRIMARY KEY (namespace, player_id);
CREATE INDEX scores_best_n%(namespace)s_rank
ON scores_best_n%(namespace)s (namespace, (-score), tie_key, player_id) WHERE score IS NOT NULL;
CREATE INDEX scores_best_n%(namespace)s_region
ON scores_best_n%(namespace)s (namespace, region, (-score), tie_key, player_id)
WHERE score IS NOT NULL AND region IS NOT NULL;
ANALYZE scores_best_n%(namespace)s;
