import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
xargs rm <<< src/a.js src/b.js => >{rm src/a.js src/b.js}
xargs rm <<< ? => >{rm $X}
xargs -I{} cp {} /tmp <<< src/a.js => >{cp src/a.js /tmp}
xargs -n1 sh -c 'rm $0' <<< ? => >{sh -c rm $0 $X}
parallel rm ::: src/a.js src/b.js => sh{rm src/a.js} sh{rm src/b.js}
parallel 'sed -i s/a/b/ {}' ::: src/a.js => sh{sed -i s/a/b/ src/a.js}
env A=1 B=2 rm x => s:A=1 s:B=2 >{rm x}
env -i rm x => >{rm x}
env => e:*
env -C src rm a.js => sh(/p/src){rm a.js}
env -S 'rm x' y => sh{rm x y}
env LD_PRELOAD=x ls => s:LD_PRELOAD=x >{ls} ?code
env NODE_OPTIONS=--require=./x.js node app.js => s:NODE_OPTIONS=--require=./x.js >{node app.js} ?code
env NODE_OPTIONS=--max-old-space-size=4096 npm test => s:NODE_OPTIONS=--max-old-space-size=4096 >{npm test}
env GIT_PAGER='rm x' git log => s:GIT_PAGER=rm x sh{rm x} >{git log}
env PATH=. ls => s:PATH=. >{ls} ?program
sudo A=1 rm x => s:A=1 >{rm x}
sudo rm x => >{rm x}
sudo -u root rm x => >{rm x}
timeout 5 rm x => >{rm x}
timeout -k 1 5 rm x => >{rm x}
nohup node app.js => >{node app.js}
stdbuf -oL rm x => >{rm x}
flock /tmp/l rm x => w:/tmp/l >{rm x}
flock /tmp/l -c 'rm x' => w:/tmp/l sh{rm x}
watch 'rm x' => sh{rm x}
strace -o out.txt ls => w:out.txt >{ls}
eval 'rm x' y => sh{rm x y}
busybox rm x => >{rm x}
bash -c 'rm x' => sh{rm x}
bash -lc 'rm x' => sh{rm x}
bash run.sh => x:run.sh
bash gone.sh => x:gone.sh
bash <<< rm x => sh{rm x}
bash <<< ? => ?code
bash => ?code
sh -s arg <<< rm x => sh{rm x}
bash -x run.sh => x:run.sh
mytool x => ?unlisted
command rm x => >{rm x}
exec rm x => >{rm x}
npx prettier --write src => >{prettier --write src}
npx -y prettier@3 --write src => >{prettier --write src}
npx -c 'rm x' => sh{rm x}
npx unknown-tool => >{unknown-tool}
npm run evil => sh(/p){sed -i s/a/b/ src/a.js}
npm run evil -- -x => sh(/p){sed -i s/a/b/ src/a.js -x}
npm install => w:/p/node_modules ?unlisted
npm install lodash => w:/p/package.json w:/p/package-lock.json w:/p/node_modules
npm ci => w:/p/node_modules ?unlisted
npm pkg set scripts.x=y => w:/p/package.json w:/p/package-lock.json w:/p/node_modules
npm version patch => w:/p/package.json w:/p/package-lock.json w:/p/node_modules
npm exec -- rimraf src => >{rimraf src}
pnpm dlx jscodeshift -t x src => >{jscodeshift -t x src}
yarn add x => w:/p/package.json w:/p/package-lock.json w:/p/node_modules
yarn => w:/p/package.json w:/p/package-lock.json w:/p/node_modules
npm init -y => w:package.json
npm config set script-shell /tmp/x => ?code ?write
make -f /tmp/Makefile => x:/tmp/Makefile
make SHELL=/tmp/x => own{node tools/build.js} ?code
make -C sub =>
make fix => own{sed -i s/a/b/ src/a.js # one} own{touch src/b.js}
make fix FILE=src/b.js => s:FILE=src/b.js own{sed -i s/a/b/ src/b.js # one} own{touch src/b.js}
make shell => own{rm -f ${"${_}"} old.js}
make names => own{for f in a b; do echo $f > $f; done}
make a.out => own{cp src/a.js a.out}
make sub => own{make -C src fix}
apply_patch '*** Update File: src/a.js' => w:src/a.js
apply_patch '*** Move to: src/c.js' => w:src/c.js
apply_patch <<< *** Delete File: src/a.js => w:src/a.js
apply_patch <<< ? => ?write
make X='$(shell rm x)' => own{node tools/build.js} ?code
make --eval='x:;rm y' => own{node tools/build.js} ?code
cargo fmt => ?write
go generate ./... => ?write
go test -exec 'rm x' ./... => sh{rm x}
go build -o src/a.js => w:src/a.js
tsc => ?write
tsc --outDir dist => w:dist
tsc -p . --outDir src => w:src r:.
black src => w:src
black . => w:.
prettier --write src/a.js => w:src/a.js
prettier -w src/a.js => w:src/a.js
eslint --fix src => w:src
ruff check --fix src => w:src
ruff format src => w:src
gofmt -w main.go => w:main.go
rustfmt src/main.rs => w:src/main.rs
clang-format -i a.c => w:a.c
autopep8 -i a.py => w:a.py
isort a.py => w:a.py
biome check --write src => w:src
biome check src => r:src
oxfmt => w:.
ast-grep -p a -r b -U src => ?write
sd a b src/a.js => ?write
jscodeshift -t x.js src => ?write
code src/a.js => ?unlisted
claude -p 'do it' => ?code
codex exec x => ?code
aider --yes => ?code
sqlite3 x.db 'delete from t' => w:x.db r:x.db
sqlite3 x.db '.output src/a.js' => w:x.db r:x.db ?code ?write
sqlite3 x.db '.tables' => r:x.db
sqlite3 x.db <<< select 1; => r:x.db
sqlite3 x.db <<< .shell rm x => w:x.db r:x.db ?code ?write
sqlite3 x.db "select writefile('src/a.js','x')" => w:x.db r:x.db ?code ?write
sqlite3 x.db => w:x.db r:x.db ?code ?write
sqlite3 -readonly x.db 'select 1' => r:x.db
psql -c 'drop table x' =>
psql -c '\! rm x' => ?code
psql -f x.sql => x:x.sql ?unlisted
mysql -e 'select 1' =>
redis-cli get x =>
crontab -e => ?code
at now => ?code
systemctl restart x => ?unlisted
printenv => e:*
set => e:*
export => e:*
export -p => e:*
declare -p => e:*
trap 'rm x' EXIT => sh{rm x}
docker run -v .:/x alpine rm x => ?unlisted
docker exec x y => ?unlisted
docker compose up -d =>
docker compose down =>
docker-compose logs =>
kubectl delete pod x => ?unlisted
kubectl exec x -- y =>
tmux new -d 'rm x' => ?code
tmux ls =>
pm2 start app.js => x:app.js
pm2 logs =>
nodemon app.js => x:app.js
nodemon --exec 'rm x' => sh{rm x}
watchexec rm x => >{rm x}
entr rm x => >{rm x}
concurrently 'npm test' 'rm x' => sh{npm test} sh{rm x}
cross-env A=1 npm test => s:A=1 >{npm test}
hyperfine 'npm test' => sh{npm test}
run-s lint test => sh(/p){eslint src} sh(/p){tsc --noEmit} sh(/p){node --test}
tsc -w => ?write
esbuild src/a.js --outfile=x => w:x
webpack => w:dist
vite build => w:dist
next dev =>
gcc a.c -o a => w:a r:a.c
gcc -O2 -I inc -lm -o /tmp/a a.c => w:/tmp/a r:a.c
gcc a.c => r:a.c ?write
gcc -MMD -c a.c -o a.o => w:a.o r:a.c ?write
pip install x =>
pip list =>
apt-cache search x =>
brew install x => ?write
brew list =>
cargo add x => ?write
cargo install x => ?unlisted
rustc main.rs => r:main.rs ?write
uv pip install x => ?write
poetry add x => ?write
lint-staged => ?unlisted
yq -i '.a=1' x.yaml => w:x.yaml r:x.yaml
shfmt -w x.sh => w:x.sh
mypy --html-report src x => w:src r:x
pytest -p plugin => ?code
vitest -u => ?write
jest -u => ?write
jest --coverageDirectory=src => w:src
mocha -r ./x.js => x:./x.js
gh api /x => ?unlisted
gh pr checkout 1 => ?unlisted
sudo -e src/a.js => >{src/a.js} ?write
sudo -s => ?code
su -c 'rm x' => sh{rm x}
time rm x => >{rm x}
nice rm x => >{rm x}
xargs => >{echo $X}
xargs -a list rm => r:list >{rm $X}
xargs sed -i s/a/b/ <<< src/a.js => >{sed -i s/a/b/ src/a.js}
make -n =>
make install DESTDIR=/tmp/x => s:DESTDIR=/tmp/x
npm start =>
npm run gone =>
npx vitest run => >{vitest run}
npx tsx x.ts => >{tsx x.ts}
yarn run lint => sh(/p){eslint src}
yarn lint => sh(/p){eslint src}
yarn prettier --write src => >{prettier --write src}
pnpm lint => sh(/p){eslint src}
pnpm exec prettier --write src => >{prettier --write src}
pnpm prettier --write src => >{prettier --write src}
make -f - <<< x => ?code
java -jar app.jar => x:app.jar
java -javaagent:x.jar Main => ?code
java Main.java => x:Main.java
env - rm x => >{rm x}
npm test -w pkg => sh(/p){tsc --noEmit} sh(/p){node --test} ?unlisted
npm test --workspaces => sh(/p){tsc --noEmit} sh(/p){node --test} ?unlisted
npm test -w src => sh(/p){tsc --noEmit} sh(/p){node --test}
npm run lint --workspace=src => sh(/p){eslint src}
pnpm -r test => sh(/p){tsc --noEmit} sh(/p){node --test} ?unlisted
npm run test -- -w x => sh(/p){tsc --noEmit} sh(/p){node --test -w x}
`;

test("wrappers, package managers and tools say what they start and change", () => check(CASES, effectsOf));
