import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
grep -r foo => r:.
date -s tomorrow => ?write
rm src/a.js => w:src/a.js
rm -rf src test => w:src w:test
rm -- -x => w:-x
rm -rf "$X" => ?write
rm src/$X => ?write
cp src/a.js /tmp/x => w:/tmp/x r:src/a.js
cp src/a.js src/b.js test => w:test/a.js w:test/b.js r:src/a.js r:src/b.js
cp -r src/. test => w:test r:src/.
cp -t test src/a.js => w:test/a.js r:src/a.js
cp --target-directory=test src/a.js => w:test/a.js r:src/a.js
cp -ltest src/a.js => w:est/a.js w:src/a.js r:src/a.js
cp /tmp/a.js src/ => w:src/a.js r:/tmp/a.js
mv src/a.js src/c.js => w:src/a.js w:src/c.js r:src/a.js
mv src/a.js test/ => w:src/a.js w:test/a.js r:src/a.js
ln -s src/a.js /tmp/l => w:/tmp/l r:src/a.js r:/tmp/src/a.js
ln src/a.js /tmp/l => w:src/a.js w:/tmp/l r:src/a.js
ln -s ../src/a.js test/l => w:test/l r:../src/a.js r:src/a.js
install -m 644 x src/a.js => w:src/a.js r:x
install -d src/new => w:src/new
mkdir -p src/x => w:src/x
touch src/new.js => w:src/new.js
touch -r src/a.js src/b.js => w:src/b.js r:src/a.js
truncate -s 0 src/a.js => w:src/a.js
dd if=/tmp/x of=src/a.js bs=1 => w:src/a.js r:/tmp/x
dd of="$X" => ?write
tee src/a.js => w:src/a.js
tee -a src/a.js /tmp/log => w:src/a.js w:/tmp/log
split -l 10 big src/part => w:src/partaa r:big ?write
csplit big /x/ => r:big r:/x/ ?write
shred -u src/a.js => w:src/a.js
chmod 755 src/a.js => w:src/a.js
chmod -x src/a.js => w:src/a.js
chmod +x run.sh => w:run.sh
chmod -R u+w src => w:src
chown me src/a.js => w:src/a.js
chattr +i src/a.js => w:src/a.js
sort -o src/a.js src/a.js => w:src/a.js r:src/a.js
sort --out=src/a.js src/a.js => w:src/a.js r:src/a.js
sort -uosrc/a.js x => w:src/a.js r:x
sort --compress-program='rm x' a => r:a sh{rm x}
uniq a src/a.js => w:src/a.js r:a
sponge src/a.js => w:src/a.js
sed -i s/a/b/ src/a.js => w:src/a.js
sed -i.bak s/a/b/ src/a.js => w:src/a.js w:src/a.js.bak
sed -i '' s/a/b/ src/a.js => w:src/a.js
sed -ni p src/a.js => w:src/a.js
sed --in-place s/a/b/ src/a.js => w:src/a.js
sed --in s/a/b/ src/a.js => w:src/a.js
sed -n 'w src/c.js' src/a.js => w:src/c.js r:src/a.js
sed 's/a/b/w src/c.js' src/a.js => w:src/c.js r:src/a.js
sed 's/a/touch x/e' src/a.js => r:src/a.js ?code
sed '1e rm -rf src' src/a.js => r:src/a.js sh{rm -rf src}
sed e src/a.js => r:src/a.js ?code
sed -f edit.sed src/a.js => w:out.txt r:src/a.js x:edit.sed
sed -f gone.sed src/a.js => r:src/a.js x:gone.sed ?code ?write
sed "s/$X/b/" src/a.js => r:src/a.js ?code ?write
sed "s/$E/b/" src/a.js => r:src/a.js ?unlisted
sed -i "s/$E/b/" src/a.js => w:src/a.js ?unlisted ?write
sed -n "$Ep" src/a.js => r:src/a.js ?unlisted
sed "$E" src/a.js => r:src/a.js ?unlisted ?code ?write
sed 's/a/b/;w out' x => w:out r:x
sed 's/[/]/w x/' a => r:a
sed '$!N;s/\n/ /;P;D' a => r:a
sed '1i\hello' a => r:a
sed 'y/abc/xyz/' a => r:a
awk '{print > "src/a.js"}' x => w:src/a.js r:x
awk '{print >> "src/a.js"}' x => w:src/a.js r:x
awk '{print > $1}' x => r:x ?write
awk '{print | "sh"}' x => r:x sh{sh}
awk 'BEGIN{system("rm -rf src")}' => sh{rm -rf src}
awk 'BEGIN{system("rm " ARGV[1])}' src => r:src ?code ?write
awk 'BEGIN{"date" | getline d; print d}' => sh{date}
awk 'BEGIN{c="rm x"; c | getline}' => ?code ?write
awk -i inplace '{print}' src/a.js => w:src/a.js
awk -f sum.awk x => w:sums.txt r:x x:sum.awk
awk 'BEGIN{print ENVIRON["TOKEN"]}' => e:TOKEN
awk 'BEGIN { while ((getline line < "src/a.js") > 0) print line }' => r:src/a.js
awk '{ if ($1 > 5) print $0 }' x => r:x
awk '{print ($1 > 2)}' x => r:x
awk '{print "a" "b" > "x" "y"}' z => r:z ?write
awk '@load "filefuncs"; BEGIN{}' => ?code ?write
find . -delete => w:.
find src -name '*.js' -delete => w:src
find src -name '*.js' -exec sed -i s/a/b/ {} + => >{sed -i s/a/b/ src}
find src -exec rm {} ';' => >{rm src}
find . -name x -exec grep foo {} ';' => >{grep foo .}
find . -fprint out.txt => w:out.txt
find src -execdir rm a.js ';' => >{rm a.js} ?write ?read
find . -exec sh -c 'rm $1' _ {} ';' => >{sh -c rm $1 _ .}
find "$X" -name x => ?code ?write
find src -name "$X" =>
node_modules/.bin/eslint --fix src => w:src
.venv/bin/python -c 'print(1)' =>
dos2unix src/a.js => w:src/a.js
rename s/a/b/ src/a.js => ?code ?write
patch -p1 => w:.
patch -p1 -i x.patch => w:. r:x.patch
patch src/a.js x.patch => w:src/a.js r:x.patch
patch --dry-run -p1 =>
ed src/a.js => w:src/a.js ?code
mkdir -p new/deep src/deep => w:new/deep w:src/deep w:new
vim -c wq src/a.js => w:src/a.js ?code ?unlisted
vim +12 src/a.js => w:src/a.js ?unlisted
vim '+!rm x' src/a.js => w:src/a.js ?unlisted ?code
nvim --headless src/a.js => w:src/a.js ?unlisted
ex -sc '%s/a/b/|x' src/a.js => w:%s/a/b/|x w:src/a.js ?code
emacs --batch src/a.js => w:src/a.js ?code ?unlisted
tar xf a.tar => w:. r:a.tar
tar -xzf a.tgz -C /tmp => w:/tmp r:a.tgz
tar czf /tmp/a.tgz src => w:/tmp/a.tgz r:src
tar -cf src/a.js x => w:src/a.js r:x
tar --to-command='rm x' -xf a => r:a sh{rm x}
tar -xf a --one-top-level=src => w:. w:src r:a
tar cf a.tar --remove-files src => w:a.tar w:src r:src
tar -I 'rm x' -cf a b => w:a r:b sh{rm x}
tar xvf a.tar -C src => w:src r:a.tar
unzip a.zip => w:. r:a.zip
unzip -o a.zip -d src => w:src r:a.zip
unzip -p a.zip => r:a.zip
zip -r a.zip src => w:a.zip r:src
zip -m a.zip src/a.js => w:a.zip r:src/a.js ?write
7z x a.7z => w:. r:a.7z
7z x a.7z -osrc => w:src r:a.7z
7z l a.7z => r:a.7z
gzip src/a.js => w:src/a.js w:src/a.js.gz r:src/a.js
gzip -k src/a.js => w:src/a.js.gz r:src/a.js
gzip -c src/a.js => r:src/a.js
gunzip a.js.gz => w:a.js.gz w:a.js r:a.js.gz
gzip -d src/a.js.gz => w:src/a.js.gz w:src/a.js r:src/a.js.gz
xz -dk a.xz => w:a r:a.xz
cpio -id => w:.
alias ll='ls -l' =>
history -w src/a.js => ?write
man -P 'rm x' ls => sh{rm x}
tree -o src/a.js => w:src/a.js
less +'!rm x' a => r:+!rm x r:a ?code ?write
less -o src/a.js => w:src/a.js
jq -n env.TOKEN => e:TOKEN
jq -n '$ENV' => e:*
jq -n --slurpfile a /t.json '$a' => r:/t.json r:$a
envsubst => e:*
xxd -r x src/a.js => w:src/a.js r:x
base64 -d x => r:x
rg --pre 'rm x' foo => r:. sh{rm x}
fd x -x rm => >{rm $X}
fd x =>
fzf --preview 'rm {}' => sh{rm {}}
script -c 'rm x' out => w:out sh{rm x} ?code
dd if=a => r:a
mktemp -p src => w:src
mktemp src/x.XXX => w:src/x.XXX
mktemp -d =>
kill -9 1 =>
pkill node =>
open x => ?unlisted
gpg -d x => r:x
tee =>
rm $X => ?write
cp $X /tmp => w:/tmp ?read
cp src/a.js $X => r:src/a.js ?write
mv $X src => w:src ?read ?write
tee $X => ?write
sort $X => ?write ?read ?unlisted
cat $X => ?read
grep x $X => ?read
sed -i s/a/b/ $X => ?unlisted ?write
mkdir $X => ?write
$X a => ?program
zip -TT 'rm x' -T a.zip b => w:rm x r:a.zip r:b ?code
cp --parents src/a.js test => w:test/src/a.js r:src/a.js
sed '/^$/d' a => r:a
sed -n '$=' a => r:a
sed '0~3d' a => r:a
sed -n '2{p;q}' a => r:a
sed 's|a|b|;s|c|d|' a => r:a
sed '0,/re/s//x/' a => r:a
sed 's/[^,]*,//2g' a => r:a
sed -n '/a/,+3p' a => r:a
sed '/x/I!d' a => r:a
sed '$ a\end' a => r:a
sed 5q a => r:a
sed -e :a -e '$!N;ba' a => r:a
sed 's/a/\n/' a => r:a
awk 'BEGIN{FS=","} {print $2}' a => r:a
awk '!seen[$0]++' a => r:a
awk '{a[$1]+=$2} END {for (k in a) print k, a[k]}' a => r:a
awk 'length > 80' a => r:a
awk '$1 ~ /x\/y/ {print}' a => r:a
awk -v n=3 'NR==n' a => r:a
awk '{print $1 / 2; print "x/y"}' a => r:a
awk '{gsub(/a/,"b"); print}' a => r:a
awk 'NR>1{print $1 > "/dev/stderr"}' a => r:a
awk '{printf "%s %d", $1, ($2>3 ? 1 : 0)}' a => r:a
jq '.environment' a.json => r:a.json
`;

test("programs that work on files say which", () => check(CASES, effectsOf));
