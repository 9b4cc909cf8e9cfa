import test from "node:test";
import { check } from "./fixture-calls.ts";
import { effectsOf } from "./program-effects.ts";

const CASES = String.raw`
git checkout -- src/a.js => w:/p/.git w:src/a.js
git checkout src/a.js => w:/p/.git w:src/a.js
git checkout HEAD src/a.js => w:/p/.git w:src/a.js
git checkout HEAD -- src/a.js => w:/p/.git w:src/a.js
git checkout main => w:/p/.git w:/p
git checkout -b new => w:/p/.git
git checkout -b new main => w:/p/.git w:/p
git checkout . => w:/p/.git w:.
git checkout -- '*.js' => w:/p/.git w:/p
git checkout $X => w:/p/.git w:/p ?read
git restore src/a.js => w:/p/.git w:src/a.js
git restore --staged src/a.js => w:/p/.git
git restore --source=HEAD~1 src => w:/p/.git w:src
git restore . => w:/p/.git w:.
git reset => w:/p/.git
git reset --hard => w:/p/.git w:/p
git reset --hard HEAD~1 => w:/p/.git w:/p
git reset --soft HEAD~1 => w:/p/.git
git clean -n =>
git clean -fd => w:/p
git clean -fd src => w:src
git stash => w:/p/.git w:/p
git stash pop => w:/p/.git w:/p
git stash apply => w:/p/.git w:/p
git stash drop => w:/p/.git
git apply x.patch => w:/p r:x.patch
git apply --check x.patch => r:x.patch
git apply --cached x.patch => w:/p/.git r:x.patch
git apply => w:/p
git am x.patch => w:/p/.git w:/p
git merge main => w:/p/.git w:/p
git rebase main => w:/p/.git w:/p
git rebase --exec 'rm x' main => w:/p/.git w:/p sh{rm x}
git rebase -i HEAD~3 => w:/p/.git w:/p ?code
git pull => w:/p/.git w:/p
git cherry-pick abc => w:/p/.git w:/p x:/p/.git/hooks/pre-commit
git revert HEAD => w:/p/.git w:/p x:/p/.git/hooks/pre-commit
git rm src/a.js => w:/p/.git w:src/a.js
git rm --cached src/a.js => w:/p/.git
git mv src/a.js src/c.js => w:/p/.git w:src/a.js w:src/c.js
git add -A => w:/p/.git r:.
git add src/a.js => w:/p/.git r:src/a.js
git commit -m 'x' => w:/p/.git x:/p/.git/hooks/pre-commit
git commit -am x => w:/p/.git x:/p/.git/hooks/pre-commit
git update-index --assume-unchanged src/a.js => w:/p/.git
git config core.pager 'rm x' => w:/p/.git sh{rm x}
git config alias.x '!rm x' => w:/p/.git sh{rm x}
git config --global user.name me => w:/home/u/.gitconfig
git config core.hooksPath /tmp/h => w:/p/.git ?code
git config core.fsmonitor 'rm x' => w:/p/.git sh{rm x}
git config filter.x.clean 'rm x' => w:/p/.git sh{rm x}
git config core.autocrlf true => w:/p/.git
git worktree add ../wt => w:/p/.git w:../wt
git -c alias.x='!rm y' x => sh{rm y} ?unlisted
git -c core.pager='rm x' log => sh{rm x}
git -c core.fsmonitor=false status =>
git -c user.name=a commit -m x => w:/p/.git x:/p/.git/hooks/pre-commit
git -c core.hooksPath=/dev/null commit -m x => w:/p/.git x:/p/.git/hooks/pre-commit ?code
git -c diff.external='rm x' diff => sh{rm x}
git -c $X log => ?code
git bisect run sh -c 'rm x' => w:/p/.git w:/p >{sh -c rm x}
git bisect start => w:/p/.git w:/p
git submodule foreach 'rm x' => sh{rm x}
git submodule status =>
git filter-branch --tree-filter 'rm x' HEAD => w:/p/.git w:/p sh{rm x}
git log --output=src/a.js => w:src/a.js
git diff --output=src/a.js => w:src/a.js
git diff --outp=src/a.js => w:src/a.js
git shortlog -n --output=src/a.js => w:src/a.js
git diff --no-index /a /b => r:/a r:/b
git grep -O'rm x' foo => sh{rm x}
git grep --open-files-in-pager='rm x' foo => sh{rm x}
git clone https://github.com/a/b.git => w:b u:https://github.com/a/b.git
git clone git@github.com:a/b.git dir => w:dir u:ssh://github.com/a/b.git
git fetch https://example.org/x => u:https://example.org/x
git fetch origin =>
git push origin main => w:/p/.git
git push => w:/p/.git
git init sub => w:sub/.git
git archive -o src/a.js HEAD => w:src/a.js
git difftool -x 'rm x' => ?code ?write
git hash-object -w src/a.js => r:src/a.js
git $X => ?read ?unlisted ?code ?write
git foo => ?unlisted
git -C sub checkout -- a.js => w:/p/.git w:sub/a.js
git --git-dir=/tmp/g --work-tree=. checkout -- src/a.js => w:/p/.git w:src/a.js ?code
git --work-tree=/tmp/w checkout -- a => w:/tmp/w/.git w:/tmp/w/a
git lfs pull => w:/p/.git w:/p
git branch -d x => w:/p/.git
git branch x => w:/p/.git
git tag v1 => w:/p/.git
git remote add o https://example.org/x => w:/p/.git u:https://example.org/x
git ls-remote --upload-pack='rm x' . => sh{rm x}
git read-tree -u HEAD => w:/p/.git w:/p
git checkout-index -fa => w:/p/.git w:/p
git sparse-checkout set x => w:/p/.git w:/p
git merge-file src/a.js a b => w:src/a.js r:a r:b
git bundle create x HEAD => ?write
git format-patch -1 => ?write
git notes add -m x => w:/p/.git
git diff HEAD -- src/a.js =>
git log --all --graph =>
git show --stat =>
git add -p => w:/p/.git
git interpret-trailers --in-place msg => r:msg ?write
`;

test("git says what it changes in the work tree and the repository", () => check(CASES, effectsOf));
