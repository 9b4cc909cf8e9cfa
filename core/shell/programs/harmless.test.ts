import assert from "node:assert/strict";
import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
ls -la =>
pwd =>
echo hello =>
cat src/a.js => r:src/a.js
cat -n src/a.js => r:src/a.js
head -n 20 src/a.js => r:src/a.js
head -20 src/a.js => r:src/a.js
tail -f log.txt => r:log.txt
tail -n +5 src/a.js => r:src/a.js
wc -l src/a.js src/b.js => r:src/a.js r:src/b.js
grep -rn foo src => r:src
grep -n "a b" src/a.js => r:src/a.js
grep -rn --include=*.js foo . => r:.
egrep -i 'x|y' README.md => r:README.md
rg foo => r:.
rg -n foo src -g '*.js' => r:src
rg --files =>
find . -name '*.js' =>
find src -type f -newer README.md =>
find . -name node_modules -prune -o -name '*.ts' -print =>
find . -maxdepth 2 -type d =>
sed -n 1,20p src/a.js => r:src/a.js
sed -n '/foo/,/bar/p' src/a.js => r:src/a.js
sed 's/a/b/g' src/a.js => r:src/a.js
sed -e 's/a/b/' -e '/x/d' src/a.js => r:src/a.js
sed -E 's#/(a|b)#[x]#' src/a.js => r:src/a.js
awk '{print $1}' log.txt => r:log.txt
awk -F: '{print $1, $NF}' /etc/hosts => r:/etc/hosts
awk 'NR>=10 && NR<=20' src/a.js => r:src/a.js
awk '$3 > 5 { sum += $3 } END { print sum }' log.txt => r:log.txt
awk '/foo/ {c++} END {printf "%d\n", c}' log.txt => r:log.txt
sort log.txt => r:log.txt
sort -k2 -n log.txt => r:log.txt
sort -u =>
uniq -c =>
cut -d: -f1 /etc/hosts => r:/etc/hosts
tr a-z A-Z =>
diff src/a.js src/b.js => r:src/a.js r:src/b.js
diff -u src/a.js src/b.js => r:src/a.js r:src/b.js
cmp src/a.js src/b.js => r:src/a.js r:src/b.js
stat src/a.js => r:src/a.js
file src/a.js => r:src/a.js
du -sh . =>
df -h =>
which node =>
type ls =>
date +%s =>
whoami =>
uname -a =>
ps aux =>
env FOO=1 ls => s:FOO=1 >{ls}
git status =>
git status --short =>
git diff =>
git diff --stat HEAD~1 =>
git diff --cached =>
git log --oneline -5 =>
git log -p src/a.js =>
git log --format=%H%n%s -n 3 =>
git show HEAD =>
git show HEAD:src/a.js =>
git blame src/a.js =>
git grep -n foo =>
git branch =>
git branch -a =>
git branch --show-current =>
git rev-parse --abbrev-ref HEAD =>
git ls-files =>
git ls-files --others --exclude-standard =>
git remote -v =>
git stash list =>
git fetch =>
git config --get user.name =>
git config user.email =>
git -C /p status =>
git --no-pager log -3 =>
git -c color.ui=always diff =>
git reflog =>
git describe --tags =>
git tag =>
git worktree list =>
git check-ignore -v src/a.js =>
git cat-file -p HEAD =>
npm ls =>
npm view react version =>
npm outdated =>
npm run =>
npm --version =>
npm audit =>
node --version =>
node -v =>
node -p process.version =>
node -p '1+1' =>
node -e 'console.log("hi")' =>
node -e "console.log(JSON.stringify({a: 1, b: [1,2]}))" =>
node -p "require('./package.json').version" => r:./package.json
node -e "const p = require('./package.json'); console.log(p.scripts)" => r:./package.json
node -e "console.log(process.platform, process.arch, process.memoryUsage())" =>
node -e "console.log(require('os').cpus().length)" =>
node -e "console.log([1,2,3].map(x => x * 2).join(','))" =>
node -e "for (let i = 0; i < 3; i++) console.log(i)" =>
node -e "console.log(new Date().toISOString())" =>
node -e "console.log(require('fs').readFileSync('src/a.js','utf8').length)" => r:src/a.js
node -e "const fs=require('fs'); const t=fs.readFileSync('package.json','utf8'); console.log(JSON.parse(t).name)" => r:package.json
node app.js => x:app.js
node --test =>
node --test test/a.test.js => x:test/a.test.js
node --check src/a.js => r:src/a.js
node --inspect app.js --port 3000 => x:app.js
python3 --version =>
python3 -c 'print(1)' =>
python3 -c "import sys; print(sys.version)" =>
python3 -c "import json; print(json.load(open('package.json'))['scripts'])" => r:package.json
python3 -c "import os; print(os.getcwd())" =>
python3 -c "import json,sys; d=json.load(sys.stdin); print(d['a'])" =>
python3 -c "print('a'.replace('a','b'))" =>
python3 -c "from datetime import datetime; print(datetime.now().isoformat())" =>
python3 -c "print([x**2 for x in range(5)])" =>
python3 -c "import platform; print(platform.system())" =>
python3 -m pytest => >{pytest}
python3 -m pytest -k foo -x => >{pytest -k foo -x}
python3 -m unittest =>
python3 -m json.tool package.json => r:package.json
python3 -m http.server 8000 =>
python3 app.py => x:app.py
python3 -m mod.cli => x:mod/cli.py
perl -ne 'print if /foo/' log.txt => r:log.txt
perl -pe 's/a/b/' log.txt => r:log.txt
perl -e 'print "hi\n"' =>
perl -v =>
ruby -e 'puts 1+1' =>
ruby -v =>
ruby app.rb => x:app.rb
php -v =>
php -r 'echo PHP_VERSION;' =>
pytest =>
pytest tests/test_a.py -k foo =>
pytest -x -q =>
jest =>
npx jest src => >{jest src}
npx tsc --noEmit => >{tsc --noEmit}
npx eslint src => >{eslint src}
npx prettier --check . => >{prettier --check .}
eslint src => r:src
prettier --check src => r:src
tsc --noEmit -p . => r:.
tsc --version =>
mocha =>
vitest run =>
make => own{node tools/build.js}
make test =>
make -C sub test =>
make -j4 V=1 => s:V=1 own{node tools/build.js}
just test =>
cargo test =>
cargo build =>
cargo build --release =>
cargo run =>
cargo clippy =>
cargo check =>
go test ./... =>
go build ./... =>
go vet ./... =>
go run main.go => x:main.go
go version =>
mvn test =>
mvn -q -DskipTests package =>
gradle test =>
dotnet test =>
ctest =>
tox =>
black --check . => r:.
ruff check . => r:.
mypy src => r:src
flake8 =>
gofmt -l . => r:.
jq . package.json => r:package.json
jq -r .scripts.test package.json => r:package.json
yq .a x.yaml => r:x.yaml
xargs grep foo <<< src/a.js => >{grep foo src/a.js}
base64 x.bin => r:x.bin
md5sum src/a.js => r:src/a.js
sha256sum src/a.js => r:src/a.js
hexdump -C x.bin => r:x.bin
xxd x.bin => r:x.bin
od -c x.bin => r:x.bin
strings x.bin => r:x.bin
nl src/a.js => r:src/a.js
less src/a.js => r:src/a.js
more src/a.js => r:src/a.js
tree -L 2 =>
test -f src/a.js =>
[ -f src/a.js ] =>
true =>
sleep 1 =>
seq 1 10 =>
basename /a/b =>
dirname /a/b =>
realpath src =>
readlink -f src =>
kill 1234 =>
pgrep node =>
lsof -i :3000 =>
curl http://localhost:3000/health => u:http://localhost:3000/health
curl -s http://localhost:3000/logs => u:http://localhost:3000/logs
docker ps =>
docker logs web =>
docker compose ps =>
kubectl get pods =>
gh pr view 1 =>
gh pr list =>
sqlite3 x.db 'select * from t' => r:x.db
psql -c 'select 1' =>
cd src =>
export FOO=1 => s:FOO=1
set -e =>
set -euo pipefail =>
unset FOO =>
timeout 10 npm test => >{npm test}
time npm test => >{npm test}
nice -n 10 make => >{make}
tar tf x.tar => r:x.tar
tar -tzf x.tgz => r:x.tgz
unzip -l x.zip => r:x.zip
zcat x.gz => r:x.gz
man ls =>
skillctl list =>
skillctl run runtime-debug status =>
node dist/skillctl.cjs run runtime-debug status => x:dist/skillctl.cjs
npx skillctl run x => >{skillctl run x}
printenv HOME => e:HOME
mktemp =>
bc =>
npm test => sh(/p){tsc --noEmit} sh(/p){node --test}
npm run lint => sh(/p){eslint src}
npm t => sh(/p){tsc --noEmit} sh(/p){node --test}
yarn test => sh(/p){tsc --noEmit} sh(/p){node --test}
pnpm test => sh(/p){tsc --noEmit} sh(/p){node --test}
pnpm run lint => sh(/p){eslint src}
bun test =>
poetry run pytest => >{pytest}
uv run pytest => >{pytest}
bundle exec rspec => >{rspec}
command -v node =>
hash -r =>
ulimit -n =>
watch -n 1 ls => sh{ls}
uptime =>
free -m =>
ping -c 1 localhost =>
dig example.org =>
`;

test("daily commands write nothing and hide nothing", () => check(CASES, effectsOf));

test("no daily command is taken for one that writes or that nobody can read", () => {
  const told = CASES.split("\n").map((line) => line.slice(line.lastIndexOf("=>")));
  assert.deepEqual(
    told.filter((effects) => / w:| \?/.test(effects)),
    [],
  );
  assert.ok(told.length > 200);
});
