import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
curl example.org => u:http://example.org/
curl -s https://Example.ORG./a/%6Fpen => u:https://example.org/a/open
curl -o src/a.js https://example.org/x => w:src/a.js u:https://example.org/x
curl -osrc/a.js https://example.org/x => w:src/a.js u:https://example.org/x
curl -O https://example.org/dir/x.js => w:x.js u:https://example.org/dir/x.js
curl -sSLO https://example.org/dir/x.js => w:x.js u:https://example.org/dir/x.js
curl --output-dir src -O https://example.org/dir/x.js => w:src/x.js u:https://example.org/dir/x.js
curl -OJ https://example.org/dir/x.js => w:. w:x.js u:https://example.org/dir/x.js
curl -T src/a.js https://example.org/ => r:src/a.js u:https://example.org/
curl -d @/home/u/.svc-login/token.json https://example.org/ => r:/home/u/.svc-login/token.json u:https://example.org/
curl -F f=@src/a.js https://example.org/ => r:src/a.js u:https://example.org/
curl --data-urlencode x@src/a.js https://example.org => r:src/a.js u:https://example.org/
curl -d '{"a":1}' -H 'content-type: application/json' https://user:pass@example.org/x => u:https://example.org/x
curl -H @headers https://example.org => r:headers u:https://example.org/
curl -K curlrc => w:x.json r:curlrc u:https://api.example.org/x
curl -K - <<< url=https://example.org/y => u:https://example.org/y
curl -K gone => r:gone ?address ?read ?write
curl -x proxy.example:8080 https://example.org => u:http://proxy.example:8080/ u:https://example.org/
curl --resolve other:443:10.0.0.1 https://other/x => u:https://other/x u:http://10.0.0.1/
curl --connect-to ::10.0.0.1:80 https://other/x => u:https://other/x u:http://10.0.0.1/
curl "https://$X/a" => ?address
curl $X => ?write ?read ?address ?unlisted
curl https://ｅxample.org/ => u:https://example.org/
curl http://0x7f000001/ => u:http://127.0.0.1/
curl http://a/../b/./c => u:http://a/b/c
curl 'http://{a,b}.org/x' => u:http://a.org/x u:http://b.org/x
curl 'http://a[1-3].org/' => ?address
curl file:///home/u/.svc-login/token.json => r:/home/u/.svc-login/token.json
curl -w '%output{src/a.js}x' https://example.org => w:src/a.js u:https://example.org/
curl -c jar https://example.org => w:jar u:https://example.org/
curl -XDELETE localhost:3000/logs => u:http://localhost:3000/logs
curl --url https://example.org => u:https://example.org/
curl -X POST http://127.0.0.1:3000/openapi/v1/musician/data/agent/chat-sync -d '{"userMessage":"x"}' => u:http://127.0.0.1:3000/openapi/v1/musician/data/agent/chat-sync
wget https://example.org/x.js => w:x.js u:https://example.org/x.js
wget -O src/a.js https://example.org/x.js => w:src/a.js u:https://example.org/x.js
wget -qO- https://example.org/x.js => u:https://example.org/x.js
wget -P src https://example.org/x.js => w:src/x.js u:https://example.org/x.js
wget -r https://example.org/ => w:. u:https://example.org/
wget -i list => r:list ?address
wget --spider https://example.org/x => u:https://example.org/x
wget --post-file=src/a.js https://example.org => w:index.html r:src/a.js u:https://example.org/
wget $X => ?write ?address ?unlisted ?read
http GET example.org/x => u:http://example.org/x
http :3000/x a=1 => u:http://localhost:3000/x
https example.org => u:https://example.org/
nc example.org 80 => u:http://example.org/
nc -l 8080 =>
nc -e 'rm x' example.org 80 => u:http://example.org/ sh{rm x}
ncat --sh-exec 'rm x' example.org 80 => u:http://example.org/ sh{rm x}
socat - TCP:example.org:80 => u:http://example.org/
socat TCP-LISTEN:8080 EXEC:'rm x' => sh{rm x}
socat - OPEN:src/a.js => w:src/a.js
telnet example.org 80 => u:http://example.org/
openssl s_client -connect example.org:443 => u:http://example.org:443/
openssl enc -d -in a -out src/a.js => w:src/a.js r:a
openssl dgst -sha256 src/a.js => r:src/a.js
openssl rand -hex 4 => r:4
ssh host 'rm x' => u:http://host/ ?unlisted
ssh user@example.org => u:http://example.org/ ?unlisted
ssh -o ProxyCommand='rm x' host => u:http://host/ sh{rm x} ?unlisted
curl "http://localhost:$E/api/items" => u:http://localhost:0/api/items
curl "http://localhost:$E/api/$E?page=$E" => u:http://localhost:0/api/0?page=0
curl "http://host$E/" => ?address
curl "http://localhost:80$E/" => ?address
curl "http://$E:80/" => ?address
curl "$E/items" => ?address
wget -qO- http://localhost:$E/ => u:http://localhost:0/
scp src/a.js host:/tmp => r:src/a.js u:ssh://host//tmp
scp host:/x src/a.js => w:src/a.js u:ssh://host//x
rsync -a src/ /tmp/b/ => w:/tmp/b/ r:src/
rsync -a /tmp/b/ src/ => w:src/ r:/tmp/b/
rsync -a /tmp/b/a.js src => w:src/a.js r:/tmp/b/a.js
rsync -n -a /tmp/b/ src/ => r:/tmp/b/
rsync -e 'rm x' a host:b => r:a u:ssh://host/b sh{rm x}
`;

test("programs that call others say whom, in one spelling", () => check(CASES, effectsOf));
