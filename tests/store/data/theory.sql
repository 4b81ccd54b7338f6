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
INSERT INTO study VALUES (1, 'theory', 'maximize', '3', 8, 10, 'uniform', '[{"name":"x","type":"float","low":0.0,"high":1.0,"scale":"linear"},{"name":"y","type":"float","low":0.0,"high":1.0,"scale":"linear"}]', '{"type":"inducing-points","kernel":"matern32","fit":"collapsed","minibatch":1000,"num_inducing":0,"max_kl":1.0,"max_inducing":30,"num_features":0,"max_variance_error":0.05,"max_features":120,"inducing":"auto","kdpp_steps":0,"features":"fourier","eigenfunctions":"auto","alpha":null,"alpha_rule":"theory","rkhs_norm":2.0,"noise_bound":1.0,"max_lengthscale":0.7,"refit_growth":0.15,"num_starts":10,"num_candidates":0,"max_share":0.5,"near_share":0.5,"scout_share":0.1,"exact_until":0,"max_grid_gib":2.0}', 1794943523.941863, 5, 32, 'auto', '', '', '');
INSERT INTO trial VALUES (1, '{"x":0.7011921705479836,"y":0.4808928150587235}', 'done', 'initial', 1.4658203125, '', 1794943523.9479814, 1794943523.9842498, 1, '');
INSERT INTO trial VALUES (2, '{"x":0.9876744276134559,"y":0.31371941027373396}', 'done', 'initial', 1.421875, '', 1794943523.9479814, 1794943523.9842966, 2, '');
INSERT INTO trial VALUES (3, '{"x":0.5934590289425614,"y":0.7340338879912451}', 'done', 'initial', 1.5537109375, '', 1794943523.9479814, 1794943523.9843073, 3, '');
INSERT INTO trial VALUES (4, '{"x":0.8746446285595084,"y":0.26492873672577844}', 'done', 'initial', 1.2724609375, '', 1794943523.9479814, 1794943523.9843156, 4, '');
INSERT INTO trial VALUES (5, '{"x":0.2858797352764668,"y":0.8279588203431558}', 'failed', 'initial', NULL, 'it''s broken
', 1794943523.9479814, 1794943523.9843233, 5, '');
INSERT INTO trial VALUES (6, '{"x":0.1698639117203129,"y":0.7413071606661106}', 'abandoned', 'initial', NULL, '', 1794943523.9479814, 1794943523.9843333, 6, '');
INSERT INTO trial VALUES (7, '{"x":0.8583358726646111,"y":0.23544861768641567}', 'done', 'initial', 1.2099609375, '', 1794943523.9479814, 1794943523.9843411, 7, '');
INSERT INTO trial VALUES (8, '{"x":0.2412105794510353,"y":0.3476283983773101}', 'done', 'initial', 0.8798828125, '', 1794943523.9479814, 1794943523.9843488, 8, '');
INSERT INTO trial VALUES (9, '{"x":0.8910582089056334,"y":0.11439297221750166}', 'done', 'initial', 1.0048828125, '', 1794943524.0410242, 1794943524.064196, 9, '');
INSERT INTO trial VALUES (10, '{"x":0.7608892523885515,"y":0.4377405172717772}', 'done', 'initial', 1.45703125, '', 1794943524.0410242, 1794943524.0642426, 10, '');
INSERT INTO trial VALUES (11, '{"x":0.3312309439479577,"y":0.0}', 'done', 'model', 0.3251953125, '', 1794943524.0410242, 1794943524.0642526, 11, '');
INSERT INTO trial VALUES (12, '{"x":0.0,"y":0.524767039465587}', 'done', 'model', 0.8671875, '', 1794943524.0410242, 1794943524.0642607, 12, '');
INSERT INTO trial VALUES (13, '{"x":0.0,"y":0.0}', 'done', 'model', 0.0, '', 1794943524.0410242, 1794943524.064268, 13, '');
INSERT INTO trial VALUES (14, '{"x":0.3594750906322588,"y":0.0}', 'done', 'model', 0.3515625, '', 1794943524.0410242, 1794943524.0642755, 14, '');
INSERT INTO trial VALUES (15, '{"x":1.0,"y":0.08046843066495057}', 'done', 'model', 1.001953125, '', 1794943524.0410242, 1794943524.0642827, 15, '');
INSERT INTO trial VALUES (16, '{"x":0.0,"y":0.7513269586415845}', 'done', 'model', 0.998046875, '', 1794943524.0410242, 1794943524.0642893, 16, '');
INSERT INTO trial VALUES (17, '{"x":1.0,"y":1.0}', 'done', 'model', 1.7509765625, '', 1794943524.088793, 1794943524.1192696, 17, '');
INSERT INTO trial VALUES (18, '{"x":1.0,"y":0.832160001406919}', 'done', 'model', 1.8369140625, '', 1794943524.088793, 1794943524.1193182, 18, '');
INSERT INTO trial VALUES (19, '{"x":0.1394115770708595,"y":1.0}', 'done', 'model', 1.0478515625, '', 1794943524.088793, 1794943524.1193285, 19, '');
INSERT INTO trial VALUES (20, '{"x":0.9095305680284582,"y":0.5900452248151851}', 'done', 'model', 1.7138671875, '', 1794943524.088793, 1794943524.1193368, 20, '');
INSERT INTO trial VALUES (21, '{"x":1.0,"y":0.5716186370345895}', 'done', 'model', 1.7509765625, '', 1794943524.088793, 1794943524.1193445, 21, '');
INSERT INTO trial VALUES (22, '{"x":1.0,"y":0.5745891625083459}', 'done', 'model', 1.75390625, '', 1794943524.088793, 1794943524.1193514, 22, '');
INSERT INTO trial VALUES (23, '{"x":0.1530105715164609,"y":0.9829936878695662}', 'done', 'model', 1.0751953125, '', 1794943524.088793, 1794943524.1193583, 23, '');
INSERT INTO trial VALUES (24, '{"x":0.0,"y":0.9628780325456319}', 'done', 'model', 0.9375, '', 1794943524.088793, 1794943524.1193657, 24, '');
INSERT INTO trial VALUES (25, '{"x":0.6957774133197745,"y":1.0}', 'done', 'model', 1.5498046875, '', 1794943524.1453588, 1794943524.1808424, 25, '');
INSERT INTO trial VALUES (26, '{"x":0.6641546476657822,"y":0.0}', 'done', 'model', 0.6162109375, '', 1794943524.1453588, 1794943524.1808887, 26, '');
INSERT INTO trial VALUES (27, '{"x":0.7634038608484843,"y":0.8586665800248738}', 'done', 'model', 1.6806640625, '', 1794943524.1453588, 1794943524.1808991, 27, '');
INSERT INTO trial VALUES (28, '{"x":0.5191868170168163,"y":1.0}', 'done', 'model', 1.4052734375, '', 1794943524.1453588, 1794943524.1809068, 28, '');
INSERT INTO trial VALUES (29, '{"x":0.6594960225029354,"y":0.020349890817669802}', 'done', 'model', 0.6533203125, '', 1794943524.1453588, 1794943524.1809142, 29, '');
INSERT INTO trial VALUES (30, '{"x":0.41874786004245834,"y":0.6565814172427054}', 'done', 'model', 1.3740234375, '', 1794943524.1453588, 1794943524.1809216, 30, '');
INSERT INTO trial VALUES (31, '{"x":0.5265266659916961,"y":0.16470976939217508}', 'done', 'model', 0.826171875, '', 1794943524.1453588, 1794943524.1809285, 31, '');
INSERT INTO trial VALUES (32, '{"x":0.6931173440434577,"y":0.0}', 'done', 'model', 0.638671875, '', 1794943524.1453588, 1794943524.1809356, 32, '');
INSERT INTO trial VALUES (33, '{"x":0.3419919260941242,"y":0.1853247940143774}', 'pending', 'model', NULL, '', 1794943524.2223134, 0.0, NULL, '');
INSERT INTO trial VALUES (34, '{"x":0.4232167511472653,"y":0.4046249691982666}', 'pending', 'model', NULL, '', 1794943524.2223134, 0.0, NULL, '');
INSERT INTO trial VALUES (35, '{"x":0.39503115896968666,"y":0.8147533709479831}', 'pending', 'model', NULL, '', 1794943524.2223134, 0.0, NULL, '');
INSERT INTO learned VALUES (1, 4, 32, 30, 'kernel=matern32 num_inducing=0 inducing=auto max_lengthscale=0.7 anchored=16 max_kl=1 max_inducing=30 max_variance_error=0.05 max_features=120 features=fourier', 1.08734130859375, 0.5049149191293298, -3.7314453125, '{"kernel":"matern32","variance":1.0,"lengthscales":[0.7,0.7],"noise":0.00010000000000000009,"mean":-0.4718998792594355,"num_fitted":30,"num_inducing":30,"num_features":120,"evaluations":1,"initial_bound":14.37298506382978,"bound":14.37298506382978,"jitter":1e-12,"steps":[[0.3903159743127229,0.21455744944735056,0.15922484499143663,-1.0,-0.007842697154735179],[0.004778400008248029,0.24661910780483332,0.2675657457148153,-1.0,-0.03821209979506873],[0.0,-0.0643287439196224,-0.11719677945277907,0.20675464593145332,0.005264031867337815],[0.0,0.20435160995113166,0.0,-1.0,-0.04796354095312999],[0.0,0.0,0.0,-0.13058398207607347,-0.10128629761700364],[0.0,0.0,0.0,0.0,-1.0],[0.0,0.0,0.0,0.0,0.28851591233505275],[0.0,0.0,0.0,0.0,0.10976703285450135]],"changes":[[0.8753161000378873,0.0682335572875678,-1.2984612666926865,-0.262659376240635,0.41163185719928047],[-2.9585109935430185,1.6786366201180816,1.3531338924502634,-0.38845535907671697,0.30807314903802174],[0.9826835444473776,-0.0408210384152103,-0.9127269549245576,0.07912190948631735,-0.09118960943963472],[-2.7760055112479254,4.650950125580724,-1.4938744676290585,-0.25439874216342523,-0.15587112868193728],[0.01397119671436567,-0.083730474049672,0.36742606086544755,-0.029796580775439393,-0.4417119728638972],[-0.2063097231680785,-1.1032653224730375,0.9557165422382979,0.0018990709623458286,-4.365687366568776],[0.21557991194948767,0.43111425424165206,0.17208728591483938,-0.00029252476796731507,1.2595702735352106],[0.05004183893850095,0.19012701229700193,0.009093497077244836,-0.0009734156895184349,0.35619585708225654]],"message":"converged: a step gains less than 0.02 nats","sizes":"30 inducing points: θ/τ is 0, at most 1; 120 features: the spread of paths is right to 53%, no better within max_features"}', 30, X'00e016902a70e63f00c063a8f2c6de3f0040b666079bef3f00c0cf93fa13d43f00601aca9dfde23f0080e2a2347de73f002069bb16fdeb3f008000a997f4d03f0080c2ca7c77eb3f00006d282e23ce3f008018fffcdfce3f00408c2e8b3fd63f00a042818c83ec3f0000919adb48bd3f0060dc6a3459e83f004074cdf003dc3f0080eb45e332d53f0000000000000000000000000000000000c0103fe4cae03f0000000000000000000000000000000000807fcfa301d73f0000000000000000000000000000f03f0000113e9499b43f000000000000000000007fd5de0ae83f000000000000f03f000000000000f03f000000000000f03f00a0e2020ea1ea3f00001a123dd8c13f000000000000f03f00a08cd9df1aed3f00c0f785a6e1e23f000000000000f03f0020fb2ab34ae23f000000000000f03f0080b3cf0863e23f00804db4d995c33f0060b22daf74ef3f000000000000000000407a97e5cfee3f002070fece43e63f000000000000f03f00c0663fc140e53f00000000000000000080ffeecd6de83f0000ec55327aeb3f0040f3ab2d9de03f000000000000f03f00c00f67971ae53f0000280e9ad6943f00c009d3c3ccda3f00004708b702e53f00005d734ed9e03f00806fb03515c53f00a09e6c042ee63f0000000000000000');
INSERT INTO note VALUES ('overrides', '');
INSERT INTO note VALUES ('study_file', 'direction = "maximize"
seed = 3
initial = "uniform"
[parameters]
x = { low = 0, high = 1 }
y = { low = 0, high = 1 }
[budget]
batch = 8
initial = 10
[model]
kernel = "matern32"
alpha = "theory"
rkhs_norm = 2
exact_until = 0
num_inducing = "auto"
max_inducing = 30
num_features = "auto"
max_features = 120
');
INSERT INTO note VALUES ('study_file_path', '/elsewhere/theory.toml');
