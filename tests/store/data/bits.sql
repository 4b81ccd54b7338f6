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
INSERT INTO study VALUES (1, 'bits', 'maximize', '4', 8, 0, 'sobol', '[{"name":"candidate","type":"candidate","count":120}]', '{"type":"inducing-points","kernel":"auto","fit":"collapsed","minibatch":1000,"num_inducing":500,"max_kl":1.0,"max_inducing":2000,"num_features":1000,"max_variance_error":0.05,"max_features":8000,"inducing":"auto","kdpp_steps":0,"features":"fourier","eigenfunctions":"auto","alpha":null,"alpha_rule":"constant","rkhs_norm":0.0,"noise_bound":1.0,"max_lengthscale":0.7,"refit_growth":0.02,"num_starts":10,"num_candidates":0,"max_share":0.5,"near_share":0.5,"scout_share":0.1,"exact_until":1000,"max_grid_gib":2.0}', 1794943522.576813, 5, 32, 'auto', '/elsewhere/bits.pool', 'a0ffdaa1153b474f', '{"kernel":"tanimoto","inducing":"uniform","num_inducing":20,"num_features":50,"alpha":0.1,"subset":0,"floor":0.5}');
INSERT INTO trial VALUES (1, '{"candidate":"m84"}', 'done', 'initial', 0.4794921875, '', 1794943522.5828068, 1794943522.603933, 1, '');
INSERT INTO trial VALUES (2, '{"candidate":"m118"}', 'done', 'initial', 0.841796875, '', 1794943522.5828068, 1794943522.6039762, 2, '');
INSERT INTO trial VALUES (3, '{"candidate":"m105"}', 'done', 'initial', 0.0, '', 1794943522.5828068, 1794943522.6039863, 3, '');
INSERT INTO trial VALUES (4, '{"candidate":"m32"}', 'done', 'initial', 0.001953125, '', 1794943522.5828068, 1794943522.603994, 4, '');
INSERT INTO trial VALUES (5, '{"candidate":"m73"}', 'failed', 'initial', NULL, 'it''s broken
', 1794943522.5828068, 1794943522.604001, 5, '');
INSERT INTO trial VALUES (6, '{"candidate":"m90"}', 'abandoned', 'initial', NULL, '', 1794943522.5828068, 1794943522.6040099, 6, '');
INSERT INTO trial VALUES (7, '{"candidate":"m35"}', 'done', 'initial', 0.767578125, '', 1794943522.5828068, 1794943522.6040175, 7, '');
INSERT INTO trial VALUES (8, '{"candidate":"m65"}', 'done', 'initial', 0.16015625, '', 1794943522.5828068, 1794943522.6040244, 8, '');
INSERT INTO trial VALUES (9, '{"candidate":"m36"}', 'done', 'model', 0.9033203125, '', 1794943522.667366, 1794943522.7060719, 9, '');
INSERT INTO trial VALUES (10, '{"candidate":"m12"}', 'done', 'model', 0.2626953125, '', 1794943522.667366, 1794943522.7061174, 10, '');
INSERT INTO trial VALUES (11, '{"candidate":"m7"}', 'done', 'model', 0.8740234375, '', 1794943522.667366, 1794943522.7061272, 11, '');
INSERT INTO trial VALUES (12, '{"candidate":"m56"}', 'done', 'model', 0.9052734375, '', 1794943522.667366, 1794943522.7061343, 12, '');
INSERT INTO trial VALUES (13, '{"candidate":"m49"}', 'done', 'model', 0.681640625, '', 1794943522.667366, 1794943522.7061412, 13, '');
INSERT INTO trial VALUES (14, '{"candidate":"m78"}', 'done', 'model', 0.880859375, '', 1794943522.667366, 1794943522.7061477, 14, '');
INSERT INTO trial VALUES (15, '{"candidate":"m25"}', 'done', 'model', 0.9033203125, '', 1794943522.667366, 1794943522.7061543, 15, '');
INSERT INTO trial VALUES (16, '{"candidate":"m42"}', 'done', 'model', 0.98046875, '', 1794943522.667366, 1794943522.7061605, 16, '');
INSERT INTO trial VALUES (17, '{"candidate":"m33"}', 'done', 'model', 0.1494140625, '', 1794943522.7526817, 1794943522.7752712, 17, '');
INSERT INTO trial VALUES (18, '{"candidate":"m27"}', 'done', 'model', 0.8427734375, '', 1794943522.7526817, 1794943522.7753172, 18, '');
INSERT INTO trial VALUES (19, '{"candidate":"m100"}', 'done', 'model', 0.0732421875, '', 1794943522.7526817, 1794943522.7753274, 19, '');
INSERT INTO trial VALUES (20, '{"candidate":"m93"}', 'done', 'model', 0.0380859375, '', 1794943522.7526817, 1794943522.7753348, 20, '');
INSERT INTO trial VALUES (21, '{"candidate":"m94"}', 'done', 'model', 0.1416015625, '', 1794943522.7526817, 1794943522.7753417, 21, '');
INSERT INTO trial VALUES (22, '{"candidate":"m37"}', 'done', 'model', 0.7373046875, '', 1794943522.7526817, 1794943522.7753484, 22, '');
INSERT INTO trial VALUES (23, '{"candidate":"m74"}', 'done', 'model', 0.998046875, '', 1794943522.7526817, 1794943522.775355, 23, '');
INSERT INTO trial VALUES (24, '{"candidate":"m83"}', 'done', 'model', 0.5869140625, '', 1794943522.7526817, 1794943522.7753618, 24, '');
INSERT INTO trial VALUES (25, '{"candidate":"m71"}', 'done', 'model', 0.8583984375, '', 1794943522.8066924, 1794943522.822742, 25, '');
INSERT INTO trial VALUES (26, '{"candidate":"m54"}', 'done', 'model', 0.84765625, '', 1794943522.8066924, 1794943522.822787, 26, '');
INSERT INTO trial VALUES (27, '{"candidate":"m18"}', 'done', 'model', -0.4658203125, '', 1794943522.8066924, 1794943522.8227966, 27, '');
INSERT INTO trial VALUES (28, '{"candidate":"m4"}', 'done', 'model', 1.0, '', 1794943522.8066924, 1794943522.822804, 28, '');
INSERT INTO trial VALUES (29, '{"candidate":"m67"}', 'done', 'model', 0.59765625, '', 1794943522.8066924, 1794943522.8228111, 29, '');
INSERT INTO trial VALUES (30, '{"candidate":"m2"}', 'done', 'model', 0.84765625, '', 1794943522.8066924, 1794943522.8228178, 30, '');
INSERT INTO trial VALUES (31, '{"candidate":"m17"}', 'done', 'model', 0.998046875, '', 1794943522.8066924, 1794943522.8228242, 31, '');
INSERT INTO trial VALUES (32, '{"candidate":"m62"}', 'done', 'model', 0.849609375, '', 1794943522.8066924, 1794943522.822831, 32, '');
INSERT INTO trial VALUES (33, '{"candidate":"m57"}', 'pending', 'model', NULL, '', 1794943522.8546276, 0.0, NULL, '');
INSERT INTO trial VALUES (34, '{"candidate":"m41"}', 'pending', 'model', NULL, '', 1794943522.8546276, 0.0, NULL, '');
INSERT INTO trial VALUES (35, '{"candidate":"m112"}', 'pending', 'model', NULL, '', 1794943522.8546276, 0.0, NULL, '');
INSERT INTO learned VALUES (1, 4, 32, 30, '{"kernel":"tanimoto","inducing":"uniform","num_inducing":20,"num_features":50,"alpha":0.1,"subset":0,"floor":0.5} anchored=16', 0.609619140625, 0.3385080858839738, 0.060546875, '{"variance":0.05,"noise":0.012564381193995817,"mean":0.6383208388333816,"bias":1.0,"power":1,"lengthscales":[],"features":12177164270063373903,"floor":0.5}', 20, X'02000000000000000c0000000000000012000000000000001b000000000000002100000000000000230000000000000024000000000000002a00000000000000360000000000000038000000000000004100000000000000430000000000000047000000000000004a000000000000004e0000000000000054000000000000005d000000000000005e0000000000000064000000000000007600000000000000');
INSERT INTO note VALUES ('overrides', '');
INSERT INTO note VALUES ('study_file', 'direction = "maximize"
seed = 4
[pool]
path = "bits.pool"
[budget]
batch = 8
[model]
num_inducing = 20
num_features = 50
');
INSERT INTO note VALUES ('study_file_path', '/elsewhere/bits.toml');
