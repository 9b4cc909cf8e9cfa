import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
node -e "require('fs').writeFileSync('src/a.js', 'x')" => w:src/a.js
node -e "const fs=require('fs'); fs.appendFileSync('src/a.js', 'x')" => w:src/a.js
node -e "fs.writeFileSync('src/a.js', 'x')" => w:src/a.js
node -e "require('fs').writeFileSync(process.argv[1], 'x')" src/a.js => ?write
node -e "const {writeFileSync: w} = require('fs'); w('src/a.js','')" => ?unlisted
node -e "const {writeFileSync} = require('fs'); writeFileSync('src/a.js','')" => w:src/a.js
node -e "require('fs')['writeFileSync']('src/a.js','')" => ?code
node -e "require('fs')['write'+'FileSync']('src/a.js','')" => ?code
node -e "const w = require('fs').writeFileSync; w('src/a.js','')" => ?unlisted
node -e "['src/a.js'].forEach(require('fs').unlinkSync)" => ?code
node -e "require('child_process').execSync('rm src/a.js')" => sh{rm src/a.js}
node -e "require('child_process').execSync('rm a.js', {cwd: 'src'})" => ?code
node -e "require('child_process').spawnSync('rm', ['src/a.js'])" => ?code
node -e "require('node:child_process').exec('rm x')" => sh{rm x}
node -e "const cp = require('child_process'); cp.exec('rm x')" => sh{rm x}
node -e "eval('1')" => ?code
node -e "Function('return 1')()" => ?code
node -e "process.mainModule.require('fs').rmSync('x')" => ?code
node -e "globalThis.x" => ?code
node -e "import('fs').then(m => m.writeFileSync('x',''))" => w:x
node --input-type=module -e "import {writeFileSync} from 'fs'; writeFileSync('x','')" => w:x
node --input-type=module -e "import {execSync as e} from 'child_process'; e('rm x')" => ?code
node -e "fetch('https://example.org/a').then(r => r.text()).then(console.log)" => u:https://example.org/a
node -e "fetch(process.env.URL)" => e:URL ?address
node -e "console.log(process.env.TOKEN)" => e:TOKEN
node -e "console.log(process.env['TOKEN'])" => e:TOKEN
node -e "console.log(process.env)" => e:*
node -e "require('./src/a.js')" => x:./src/a.js
node -e "require('lodash')" => ?unlisted
node -e "require('http').get('http://example.org/x')" => u:http://example.org/x
node -e "(()=>{console.log(1)})()" =>
node -e "[].constructor.constructor('x')()" => ?code
node -e "'a'.replace(/a/, 'b')" =>
node -e "a++ / require('fs').rmSync('x') / 1" => ?unlisted
node -e "new (class { static { } })" => ?unlisted
node -e "Object.values({execSync: 1})[0]('rm')" => ?code
node -e "console.log('http://x.org is a mention')" =>
node -e "const s = require('fs').readdirSync('src'); console.log(s)" =>
node -e "require('fs').readFileSync('/home/u/.svc-login/token.json')" => r:/home/u/.svc-login/token.json
node -e "$X" => ?code
node -e => ?code
node <<< console.log(1) =>
node - <<< require('fs').rmSync('x') => w:x
node <<< ? => ?code
node => ?code
node -r ./setup.js app.js => x:./setup.js x:app.js
node -r tsx app.js => x:app.js
node --import 'data:text/javascript,x' app.js => x:app.js ?code
node --require=dotenv/config app.js => x:app.js
node src => x:src ?code
node --run evil => sh(/p){sed -i s/a/b/ src/a.js}
node --cpu-prof app.js => x:app.js
node --env-file=.env app.js => r:.env x:app.js
tsx src/a.ts => x:src/a.ts
tsx -e "console.log(1)" =>
ts-node x.ts => x:x.ts
deno run x.ts => x:x.ts
deno eval 'console.log(1)' =>
bun run evil => sh(/p){sed -i s/a/b/ src/a.js}
bun x.ts => x:x.ts
bun -e 'x' => ?code
python3 -c "open('src/a.js','w').write('x')" => w:src/a.js
python3 -c "open('src/a.js', mode='a').write('x')" => w:src/a.js
python3 -c "open('src/a.js').read()" => r:src/a.js
python3 -c "open(f, 'w')" => ?write ?unlisted
python3 -c "open('x', m)" => w:x r:x ?unlisted
python3 -c "import os; os.remove('src/a.js')" => w:src/a.js
python3 -c "import os; os.system('rm x')" => sh{rm x}
python3 -c "from os import system; system('rm x')" => sh{rm x}
python3 -c "from os import system as s; s('rm x')" => sh{rm x}
python3 -c "import os as o; o.remove('x')" => w:x
python3 -c "import subprocess; subprocess.run(['rm','x'])" => >{rm x}
python3 -c "import subprocess; subprocess.run('rm x', shell=True)" => sh{rm x}
python3 -c "import subprocess; subprocess.run(['rm','x'], cwd='src')" => ?code
python3 -c "import shutil; shutil.rmtree('src')" => w:src
python3 -c "from pathlib import Path; Path('src/a.js').write_text('x')" => w:src/a.js
python3 -c "from pathlib import Path; print(Path('src/a.js').read_text())" => r:src/a.js
python3 -c "from pathlib import Path; p = Path('src/a.js'); p.write_text('x')" => ?unlisted
python3 -c "import pathlib; pathlib.Path('src/a.js').write_text('x')" => w:src/a.js
python3 -c "from pathlib import Path; Path('src/a.js').rename('b')" => w:src/a.js w:b
python3 -c "exec('x')" => ?code
python3 -c "__import__('os').system('rm x')" => ?code
python3 -c "getattr(__builtins__, 'ev'+'al')('1')" => ?code
python3 -c "print(eval('1'))" => ?code
python3 -c "map(*{eval:1}, ['x'])" => ?code
python3 -c "import urllib.request; print(urllib.request.urlopen('http://example.org/x').read())" => u:http://example.org/x
python3 -c "import requests; requests.post('http://example.org/x', json={'a': 1})" => u:http://example.org/x
python3 -c "import os; print(os.environ['TOKEN'])" => e:TOKEN
python3 -c "import os; print(os.environ.get('TOKEN'))" => e:TOKEN
python3 -c "import os; print(dict(os.environ))" => e:*
python3 -c "import socket; socket.socket()" => ?code
python3 -c "print(f'{1+1}')" =>
python3 -c "print('http://x.org')" =>
python3 -c "import fileinput" => ?unlisted
python3 -c "import mymodule" => ?unlisted
python3 <<< print(1) =>
python3 - <<< import os; os.remove('x') => w:x
python3 <<< ? => ?code
python3 -m pip install x => >{pip install x}
python3 -m venv .venv => w:.venv
python3 -m black src => >{black src}
python3 -m unknownmod => ?unlisted
python3 -m timeit '1+1' =>
python3 -i => ?code
python3 -mjson.tool a.json b.json => w:b.json r:a.json
python3 -m pytest --junitxml=src/a.js => >{pytest --junitxml=src/a.js}
python3 -Wignore x.py => x:x.py
python3 - => ?code
perl -pi -e 's/a/b/' src/a.js => w:src/a.js
perl -i.bak -pe 's/a/b/' src/a.js => w:src/a.js w:src/a.js.bak
perl -e 'unlink "x"' => ?unlisted
perl -e 'system("rm x")' => ?code
perl -pe 's/a/system("rm x")/e' f => r:f ?code
perl -ne 'print if $_ =~ /x(?{system "rm x"})/' f => r:f ?code
perl -lane 'print $F[0]' f => r:f
perl x.pl => x:x.pl
perl -MFile::Copy -e 'copy("a","b")' => ?code ?unlisted
ruby -e 'File.write("x","y")' => ?unlisted
ruby -i -pe 'x' src/a.js => w:src/a.js ?unlisted
ruby -e 'puts "#{system(1)}"' => ?code
php -r 'unlink("x");' => ?unlisted
lua -e 'os.remove("x")' => ?unlisted
osascript -e 'x' => ?code
node --input-type=module -e "import cp from 'child_process'; cp.execSync('rm x')" => sh{rm x}
node --input-type=module -e "import * as fs from 'node:fs'; fs.rmSync('x')" => w:x
bun --hot x.ts => x:x.ts
python3 -c "with open('src/a.js','w') as f: f.write('x')" => w:src/a.js
perl -0pe 's/a/b/' f => r:f
perl -0777 -i -pe 's/a/b/' f => w:f
python3 manage.py runserver => x:manage.py
node server.js => x:server.js
node -pe 1+1 =>
node -e "const {unlinkSync} = require('fs'); ['src/a.js'].forEach(unlinkSync, 0)" => ?code
node -e "const {unlinkSync} = require('fs'); ['src/a.js'].forEach(unlinkSync)" => ?code
node -e "const fs = require('fs'); fs?.['writeFileSync']('x','')" => ?code
node -e "fs?.writeFileSync('x','')" => w:x
node -e "const f = fs; f.rmSync('x')" => ?unlisted
node -e "const g = require; g('fs')" => ?unlisted
node -e "['fs'].map(require)" => ?code
node -e "const url = 'http://a.org/'; fetch(url)" => ?address
node -e "const {version} = require('./package.json'); console.log(version)" => r:./package.json
node -e "const path = require('path'); console.log(path.join('a','b'))" =>
node -e "const {readFileSync} = require('fs'); console.log(JSON.parse(readFileSync('package.json','utf8')).name)" => r:package.json
node --input-type=module -e "import path from 'path'; console.log(path.sep)" =>
python3 -c "import os; list(map(os.replace, ['a'], ['b']))" => ?unlisted
python3 -c "import os; p = os; p.replace('a','b')" => ?unlisted
python3 -c "import requests; r = requests; r.get('http://a.org')" => u:http://a.org/ ?code
python3 -c "from pathlib import Path; p = Path('a'); p.replace('b')" => ?unlisted
python3 -c "from pathlib import Path; p = Path('a'); print(p.read_text())" => ?unlisted
python3 -c "from os import remove; list(map(remove, ['x']))" => ?unlisted
python3 -c "print(f'{(lambda: eval)()}')" => ?code
python3 -c "print(f'{3.14159:.2f}')" =>
python3 -c "import sys, os.path; print(os.path.exists('a'), sys.argv)" =>
python3 -c "from os import path; print(path.join('a', 'b'))" =>
python3 -c "from collections import Counter; print(Counter('abc').most_common(1))" =>
python3 -c "import os; os.chdir('src'); open('a.js','w')" => ?unlisted
`;

test("texts for interpreters are read as far as they can be", () => check(CASES, effectsOf));
