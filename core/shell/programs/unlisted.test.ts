import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

/** Code that is not understood is no hidden call unless it could make one. */
const CODE = String.raw`
python3 -c "import pandas as pd; print(pd.read_csv('data.csv').describe())" => ?unlisted
python3 -c "import numpy as np; print(np.mean([1,2,3]))" => ?unlisted
python3 - <<< import sqlite3; c = sqlite3.connect('file:app.db?mode=ro', uri=True) => ?unlisted
python3 -c "from mod.cli import total; print(total([1]))" => x:mod/cli.py
python3 -c "import mod.cli as c; print(c.total([1]))" => x:mod/cli.py
python3 -c "import mod.cli as os; os.remove('x')" => x:mod/cli.py ?unlisted
node -e "import('./src/a.js').then(m => console.log(m.total([1])))" => x:./src/a.js
node -e "import('./src/a.js').then(process => 1); process.binding('fs')" => r:./src/a.js x:./src/a.js ?code
node --input-type=module -e "import {total} from './src/a.js'; console.log(total([1]))" => x:./src/a.js
node -e "const {total} = require('./src/a.js'); console.log(total([1]))" => x:./src/a.js
Rscript -e 'summary(read.csv("data.csv"))' => ?unlisted
node -e "const x = require('lodash'); x.fe()" => ?unlisted
node -e "const x = require('lodash'); x['fe'+'tch']()" => ?code
python3 -c "import pandas; pandas.x('ht'+'tp')" => ?code
python3 -c "import pandas; pandas.x('ht' 'tp')" => ?code
python3 -c "import pandas; pandas.x('\x63url')" => ?code
python3 -c "import pandas; pandas.x('lruc'[::-1])" => ?code
python3 -c "import httpx" => ?code
python3 -c "import numpy, re; print('got', numpy.load('/home/u/a.npy'), re.compile('x'))" => r:/home/u/a.npy ?unlisted
perl -e 'use LWP; x()' => ?code
ruby -e 'x %x(ls)' => ?code
python3 -c "open(*('src/a.js','w'))" => ?unlisted
perl -ne print '>src/a.js' => r:>src/a.js ?code ?write
perl -ne print 'rm x|' => r:rm x| ?code ?write
gcc -x c - -o /tmp/p <<< int main(){system("curl x");} => r:- w:/tmp/p ?code
`;
test("code that cannot reach anything is work that is not listed, and what hides a call is unknown code", () =>
  check(CODE.replace(" r:-", ""), effectsOf));

const HARMLESS = String.raw`
node --cpu-prof app.js => x:app.js
cmake -S . -B build => w:build
cmake --build build => w:build
cmake .. => w:.
gcc -fsyntax-only src/a.c => r:src/a.c
javac -d /tmp/out X.java => w:/tmp/out r:X.java
uv pip list =>
nvm use 20 =>
mise use node@20 => ?write
docker compose up -d =>
docker compose exec db psql -c x =>
docker compose -f /tmp/x.yml up => x:/tmp/x.yml
docker build -t app . => r:.
docker run -v .:/x app => ?unlisted
kubectl exec -it pod -- ls =>
psql -c '\dt' =>
psql -c '\! rm x' => ?code
psql -c "update items set n = 1" =>
psql -c "copy t to program 'x'" => ?code
redis-cli get key =>
redis-cli config set dir /p => ?unlisted
mongosh --eval 'db.items.find()' =>
mongosh --eval 'require("fs").rmSync("x")' => ?code
mysql -e 'show tables' =>
duckdb -c "select * from 'data.csv'" => r:data.csv
duckdb -c "copy x to 'src/a.js'" => r:src/a.js ?unlisted
xsv stats data.csv => r:data.csv
dbt run =>
staticcheck ./... =>
dlv test ./... =>
jps -l =>
valgrind --leak-check=full node app.js => >{node app.js}
valgrind rm x => >{rm x}
perf stat -e cycles rm x => >{rm x}
perf report =>
clinic doctor -- node app.js => >{node app.js}
0x src/a.js => x:src/a.js
gdb -batch -ex run -ex bt ./prog => x:./prog
gdb -batch -ex 'shell rm x' ./prog => x:./prog ?code
terraform plan -out=src/a.js => w:src/a.js
terraform validate =>
terraform apply => ?unlisted
composer test =>
swift test =>
flutter test =>
systemctl status nginx =>
systemctl restart nginx => ?unlisted
journalctl -u nginx =>
webpack => w:dist
vite build --outDir src => w:src
jupyter nbconvert --to script n.ipynb --stdout => r:n.ipynb
jupyter nbconvert --to script n.ipynb => r:n.ipynb ?write
rm -rf gone .cache => w:gone w:.cache
rm -rf gone src => w:gone w:src
rm gone => w:gone
pnpm -r test => sh(/p){tsc --noEmit} sh(/p){node --test} ?unlisted
pytest -p no:cacheprovider tests =>
`;
test("programs that leave the sources alone raise no alarm", () => check(HARMLESS, effectsOf));

const ROUTES = String.raw`
npm test --script-shell=/tmp/evil => sh(/p){tsc --noEmit} sh(/p){node --test} ?code
npm test --node-options=--require=/tmp/x.js => sh(/p){tsc --noEmit} sh(/p){node --test} ?code
npm test --userconfig=/tmp/npmrc => sh(/p){tsc --noEmit} sh(/p){node --test} ?code
gcc -E -MFsrc/a.js x.c => w:src/a.js r:x.c
gcc -E -osrc/a.js x.c => w:src/a.js r:x.c
gcc -fsyntax-only -save-temps x.c => r:x.c ?write
pytest -o cache_dir=src => w:src
pytest -o addopts=-pevil => ?code
pytest --cov-report=xml:src/a.js => w:src/a.js
npm test --prefix /tmp/x => x:/tmp/x
jest --rootDir=/tmp/x => x:/tmp/x
mocha /tmp/x.js => x:/tmp/x.js
jq -n -L /home/u 'import "x" as $t; $t' => r:/home/u r:x.json r:x.jq r:/home/u/x.json r:/home/u/x.jq
pytest --debug=src/a.js => w:src/a.js
pytest /tmp/x => x:/tmp/x
pytest ../other::t => x:/other
python3 -m unittest discover -s /tmp/x => x:/tmp/x
python3 -m unittest discover -s test =>
node --test '/tmp/x/*.js' => x:/tmp/x
node --test test/ =>
make -e all => own{node tools/build.js} own{node tools/build.js}
make -p => e:* own{node tools/build.js}
npm run env => e:*
node -e 'const {env}=process;console.log(env)' => e:*
node -e 'console.log(JSON.stringify(process))' => e:*
perl -e 'print %ENV' => e:* ?code
git grep --no-index token sub => r:sub
git -C /home/u grep --no-index token => r:/home/u
git --work-tree=/home/u add -f .x => w:/home/u/.git r:/home/u/.x
sort --files0-from=- <<< src/a.js => r:src/a.js
wc --files0-from=list => r:list ?read
curl file:///home/u/.sv[c-c]/x => r:/home/u/.svc/x
grep -d recurse x => r:.
gcc -E - <<< #include "/home/u/x" => ?read
`;
test("options and variables that lead elsewhere are told", () => check(ROUTES, effectsOf));
