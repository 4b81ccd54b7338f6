PRAGMA application_id = 1396796534;
PRAGMA user_version = 4;
CREATE TABLE study (                       -- one row
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('minimize', 'maximize')),
  seed TEXT NOT NULL,                      -- 0 … 2^64 − 1
  batch INTEGER NOT NULL,
  num_initial INTEGER NOT NULL,
  initial TEXT NOT NULL CHECK (initial IN ('sobol', 'uniform')),
  space TEXT NOT NULL,                     -- JSON: the parameters
  model TEXT NOT NULL,                     -- JSON: the model's options
  created_at REAL NOT NULL,                -- seconds since 1970
  asks INTEGER NOT NULL DEFAULT 0,         -- asks so far: each has its own random key
  tells INTEGER NOT NULL DEFAULT 0         -- outcomes so far
, method TEXT NOT NULL DEFAULT 'thompson', pool TEXT NOT NULL DEFAULT '', pool_checksum TEXT NOT NULL DEFAULT '', pool_model TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE trial (
  id INTEGER PRIMARY KEY,                  -- 1, 2, … without gaps
  params TEXT NOT NULL,                    -- JSON: {"name": value, …}
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'abandoned')),
  origin TEXT NOT NULL CHECK (origin IN ('initial', 'model', 'told')),
  value REAL,                              -- in the user's own direction
  error TEXT NOT NULL DEFAULT '',
  asked_at REAL NOT NULL,
  told_at REAL NOT NULL DEFAULT 0,
  sequence INTEGER UNIQUE, owner TEXT NOT NULL DEFAULT '',                 -- the order of telling
  CHECK ((state = 'done') = (value IS NOT NULL)),
  CHECK ((state = 'pending') = (sequence IS NULL))
) STRICT;
CREATE INDEX trial_unfinished ON trial (state) WHERE state <> 'done';
CREATE INDEX trial_initial ON trial (id) WHERE origin = 'initial';
CREATE TABLE learned (                     -- at most one row: what the latest learning ask learned
  id INTEGER PRIMARY KEY CHECK (id = 1) REFERENCES study (id),
  ask INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  num_observations INTEGER NOT NULL,
  settings TEXT NOT NULL,
  centre REAL NOT NULL,
  scale REAL NOT NULL,
  lowest REAL NOT NULL,                    -- worse values count as this one
  hyper TEXT NOT NULL,                     -- JSON: kernel, variance, length-scales, noise, mean
  num_inducing INTEGER NOT NULL,
  inducing BLOB NOT NULL                   -- Z by rows, as doubles of this machine
) STRICT;
CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO study VALUES (1, 'numbers', 'minimize', '5', 8, 0, 'sobol', '[{"name":"candidate","type":"candidate","count":120}]', '{"type":"inducing-points","kernel":"auto","fit":"collapsed","minibatch":1000,"num_inducing":500,"max_kl":1.0,"max_inducing":2000,"num_features":1000,"max_variance_error":0.05,"max_features":8000,"inducing":"auto","kdpp_steps":0,"features":"fourier","eigenfunctions":"auto","alpha":null,"alpha_rule":"constant","rkhs_norm":0.0,"noise_bound":1.0,"max_lengthscale":0.7,"refit_growth":0.02,"num_starts":10,"num_candidates":0,"max_share":0.5,"near_share":0.5,"scout_share":0.1,"exact_until":1000,"max_grid_gib":2.0}', 1794943523.5292563, 5, 32, 'auto', '/elsewhere/numbers.pool', '6a246b1a5f84e173', '{"kernel":"matern32","inducing":"uniform","num_inducing":20,"num_features":50,"alpha":0.4,"subset":0}');
INSERT INTO trial VALUES (1, '{"candidate":"n69"}', 'done', 'initial', -0.587890625, '', 1794943523.6072547, 1794943523.6488342, 1, '');
INSERT INTO trial VALUES (2, '{"candidate":"n100"}', 'done', 'initial', -1.4970703125, '', 1794943523.6072547, 1794943523.6488802, 2, '');
INSERT INTO trial VALUES (3, '{"candidate":"n115"}', 'done', 'initial', -0.486328125, '', 1794943523.6072547, 1794943523.64889, 3, '');
INSERT INTO trial VALUES (4, '{"candidate":"n39"}', 'done', 'initial', -0.5087890625, '', 1794943523.6072547, 1794943523.6488972, 4, '');
INSERT INTO trial VALUES (5, '{"candidate":"n4"}', 'failed', 'initial', NULL, 'it''s broken
', 1794943523.6072547, 1794943523.648904, 5, '');
INSERT INTO trial VALUES (6, '{"candidate":"n117"}', 'abandoned', 'initial', NULL, '', 1794943523.6072547, 1794943523.6489134, 6, '');
INSERT INTO trial VALUES (7, '{"candidate":"n106"}', 'done', 'initial', -0.2021484375, '', 1794943523.6072547, 1794943523.6489208, 7, '');
INSERT INTO trial VALUES (8, '{"candidate":"n83"}', 'done', 'initial', 1.8740234375, '', 1794943523.6072547, 1794943523.6489275, 8, '');
INSERT INTO trial VALUES (9, '{"candidate":"n92"}', 'done', 'model', 0.58984375, '', 1794943523.6997857, 1794943523.7151709, 9, '');
INSERT INTO trial VALUES (10, '{"candidate":"n98"}', 'done', 'model', 0.880859375, '', 1794943523.6997857, 1794943523.7152185, 10, '');
INSERT INTO trial VALUES (11, '{"candidate":"n70"}', 'done', 'model', 0.19140625, '', 1794943523.6997857, 1794943523.7152278, 11, '');
INSERT INTO trial VALUES (12, '{"candidate":"n13"}', 'done', 'model', -0.349609375, '', 1794943523.6997857, 1794943523.715235, 12, '');
INSERT INTO trial VALUES (13, '{"candidate":"n81"}', 'done', 'model', -1.529296875, '', 1794943523.6997857, 1794943523.7152414, 13, '');
INSERT INTO trial VALUES (14, '{"candidate":"n73"}', 'done', 'model', 0.53125, '', 1794943523.6997857, 1794943523.7152483, 14, '');
INSERT INTO trial VALUES (15, '{"candidate":"n8"}', 'done', 'model', -0.2373046875, '', 1794943523.6997857, 1794943523.7152553, 15, '');
INSERT INTO trial VALUES (16, '{"candidate":"n107"}', 'done', 'model', 1.9580078125, '', 1794943523.6997857, 1794943523.715262, 16, '');
INSERT INTO trial VALUES (17, '{"candidate":"n57"}', 'done', 'model', 0.2490234375, '', 1794943523.7526667, 1794943523.7738562, 17, '');
INSERT INTO trial VALUES (18, '{"candidate":"n64"}', 'done', 'model', -0.26171875, '', 1794943523.7526667, 1794943523.773901, 18, '');
INSERT INTO trial VALUES (19, '{"candidate":"n47"}', 'done', 'model', -1.7392578125, '', 1794943523.7526667, 1794943523.7739105, 19, '');
INSERT INTO trial VALUES (20, '{"candidate":"n25"}', 'done', 'model', -0.7734375, '', 1794943523.7526667, 1794943523.7739177, 20, '');
INSERT INTO trial VALUES (21, '{"candidate":"n62"}', 'done', 'model', -1.2822265625, '', 1794943523.7526667, 1794943523.773924, 21, '');
INSERT INTO trial VALUES (22, '{"candidate":"n63"}', 'done', 'model', -0.2236328125, '', 1794943523.7526667, 1794943523.7739308, 22, '');
INSERT INTO trial VALUES (23, '{"candidate":"n95"}', 'done', 'model', -0.826171875, '', 1794943523.7526667, 1794943523.7739372, 23, '');
INSERT INTO trial VALUES (24, '{"candidate":"n99"}', 'done', 'model', -0.625, '', 1794943523.7526667, 1794943523.7739437, 24, '');
INSERT INTO trial VALUES (25, '{"candidate":"n68"}', 'done', 'model', -0.3857421875, '', 1794943523.8084972, 1794943523.831602, 25, '');
INSERT INTO trial VALUES (26, '{"candidate":"n65"}', 'done', 'model', -0.376953125, '', 1794943523.8084972, 1794943523.8316464, 26, '');
INSERT INTO trial VALUES (27, '{"candidate":"n46"}', 'done', 'model', -0.1689453125, '', 1794943523.8084972, 1794943523.8316565, 27, '');
INSERT INTO trial VALUES (28, '{"candidate":"n31"}', 'done', 'model', 0.71484375, '', 1794943523.8084972, 1794943523.8316636, 28, '');
INSERT INTO trial VALUES (29, '{"candidate":"n9"}', 'done', 'model', -0.943359375, '', 1794943523.8084972, 1794943523.8316703, 29, '');
INSERT INTO trial VALUES (30, '{"candidate":"n84"}', 'done', 'model', 0.751953125, '', 1794943523.8084972, 1794943523.8316772, 30, '');
INSERT INTO trial VALUES (31, '{"candidate":"n44"}', 'done', 'model', 0.224609375, '', 1794943523.8084972, 1794943523.8316836, 31, '');
INSERT INTO trial VALUES (32, '{"candidate":"n89"}', 'done', 'model', 0.4716796875, '', 1794943523.8084972, 1794943523.83169, 32, '');
INSERT INTO trial VALUES (33, '{"candidate":"n108"}', 'pending', 'model', NULL, '', 1794943523.866209, 0.0, NULL, '');
INSERT INTO trial VALUES (34, '{"candidate":"n5"}', 'pending', 'model', NULL, '', 1794943523.866209, 0.0, NULL, '');
INSERT INTO trial VALUES (35, '{"candidate":"n24"}', 'pending', 'model', NULL, '', 1794943523.866209, 0.0, NULL, '');
INSERT INTO learned VALUES (1, 4, 32, 30, '{"kernel":"matern32","inducing":"uniform","num_inducing":20,"num_features":50,"alpha":0.4,"subset":0} anchored=16', -0.03839111328125, 0.9531443683813843, -4.7431640625, '{"variance":0.05,"noise":0.8139666279324325,"mean":0.19653872460697702,"bias":1.0,"power":1,"lengthscales":[0.04804896131698372,0.1431127010115753],"features":11972919826205135747,"floor":null}', 20, X'08000000000000000d0000000000000019000000000000001f0000000000000027000000000000002c000000000000002f0000000000000041000000000000004500000000000000460000000000000049000000000000005100000000000000540000000000000059000000000000006200000000000000630000000000000064000000000000006a000000000000006b000000000000007300000000000000');
INSERT INTO note VALUES ('overrides', '');
INSERT INTO note VALUES ('study_file', 'direction = "minimize"
seed = 5
[pool]
path = "numbers.pool"
[budget]
batch = 8
[model]
num_inducing = 20
num_features = 50
kernel = "matern32"
floor = "none"
alpha = 0.4
');
INSERT INTO note VALUES ('study_file_path', '/elsewhere/numbers.toml');
