import { follow } from "./follow.ts";
import { applyPatch, checkout, clean, remove, reset, restore, stash, switchBranch } from "./git-checkout.ts";
import { addresses, branch, bisect, clone, config, remotes, submodule, worktree } from "./git-more.ts";
import { repository, tree } from "./git-places.ts";
import type { Conduct, Table } from "./table.ts";

/** Values of options are not told apart from operands here: that would hide an option which one takes for a value. */
const looks: Conduct = (scene) => {
  const { operands, has } = follow("v | output:w contents:r ignore-revs-file:r", scene);
  if (has("no-index")) for (const word of operands) scene.read(word);
};

/** It changes files that only git knows: all of the tree may be different. */
function everything(options: string, ...hooks: readonly string[]): Conduct {
  return (scene) => {
    follow(`v | ${options}`, scene);
    repository(scene, ...hooks);
    tree(scene);
  };
}

/** It keeps something in the repository and leaves the tree alone. */
function kept(options: string, ...hooks: readonly string[]): Conduct {
  return (scene) => {
    follow(`v | ${options}`, scene);
    repository(scene, ...hooks);
  };
}

const GREP = "v | O::s open-files-in-pager::s f:r e: A: B: C: m: max-depth: threads: ext-grep!v";

/** `git add`: what stands in the files comes into the repository. */
const added: Conduct = (scene) => {
  const { operands, has } = follow("v | chmod: pathspec-from-file:r e!c edit!c", scene);
  const words = operands.length === 0 && has("A", "all", "u", "update") ? [{ text: "." }] : operands;
  for (const word of words) if (word.text?.startsWith(":") !== true) scene.read(word);
  repository(scene);
};

/** What each subcommand of git does. */
export const GIT_COMMANDS: Table = {
  "status rev-parse ls-files ls-tree cat-file describe name-rev for-each-ref show-ref rev-list merge-base":
    "v",
  "shortlog count-objects var check-ignore check-attr check-ref-format help version cherry fsck verify-commit":
    looks,
  "log show diff diff-tree diff-index diff-files whatchanged range-diff blame annotate verify-tag reflog":
    looks,
  "show-branch get-tar-commit-id patch-id stripspace column request-pull merge-tree": looks,
  grep: (scene) => {
    const line = follow(GREP, scene);
    if (!line.has("no-index", "untracked")) return;
    const words = line.operands.slice(line.has("e", "f") ? 0 : 1);
    for (const word of words.length === 0 ? [{ text: "." }] : words) scene.read(word);
  },
  "interpret-trailers": "r | in-place!w trailer:",
  "hash-object": "r | t: path:",
  checkout,
  restore,
  reset,
  clean,
  stash,
  switch: switchBranch,
  "rm mv": remove,
  apply: applyPatch,
  am: everything(
    "i!c directory: exclude: include: patch-format: S:: resolvemsg:",
    "applypatch-msg",
    "pre-applypatch",
  ),
  merge: everything(
    "m: F:r s: X: S:: strategy: strategy-option: file:r cleanup:",
    "pre-merge-commit",
    "post-merge",
  ),
  pull: (scene) => {
    const { operands } = follow("v | s: X: S:: strategy: strategy-option: upload-pack:s depth: j: o:", scene);
    addresses(operands.slice(0, 1), scene);
    repository(scene, "post-merge");
    tree(scene);
  },
  rebase: everything(
    "x:s exec:s i!c interactive!c onto: s: X: S:: strategy: strategy-option: edit-todo!c",
    "pre-rebase",
  ),
  "revert cherry-pick": everything(
    "m: mainline: S:: s!v X: strategy: strategy-option: cleanup:",
    "pre-commit",
  ),
  "checkout-index read-tree sparse-checkout merge-index merge-one-file lfs subtree":
    everything("prefix:w index-output:w"),
  "filter-branch": everything(
    "tree-filter:s index-filter:s env-filter:s msg-filter:s parent-filter:s commit-filter:s tag-name-filter:s setup:s original: d:w",
  ),
  "add stage": added,
  commit: kept(
    "m: F:r file:r t:r template:r author: date: C: c: u:: cleanup: S:: message: reuse-message: reedit-message: fixup: squash: trailer: pathspec-from-file:r",
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
  ),
  "update-index update-ref symbolic-ref replace rerere gc prune repack pack-refs maintenance notes write-tree":
    kept("m: F:r C: c:"),
  "commit-tree mktree mktag unpack-objects index-pack commit-graph multi-pack-index fetch-pack bundle":
    "!w v",
  tag: (scene) => {
    const { operands, has } = follow(
      "v | m: F:r u: n:: l:: sort: format: contains: points-at: merged: message: file:r local-user: cleanup:",
      scene,
    );
    if (operands.length > 0 && !has("l", "list", "v", "contains", "points-at", "merged")) repository(scene);
  },
  branch,
  bisect,
  clone,
  config,
  remote: remotes,
  submodule,
  worktree,
  "fetch ls-remote": (scene) => {
    const { operands } = follow(
      "v | upload-pack:s exec:s depth: j: jobs: o: server-option: shallow-since: sort:",
      scene,
    );
    addresses(operands.slice(0, 1), scene);
  },
  push: (scene) => {
    const { operands } = follow("v | receive-pack:s exec:s o: push-option: repo:", scene);
    addresses(operands.slice(0, 1), scene);
    repository(scene, "pre-push");
  },
  init: (scene) => {
    const { operands } = follow(
      "v | template:c separate-git-dir:w b: initial-branch: object-format: shared::",
      scene,
    );
    scene.write({
      text: operands[0] === undefined ? ".git" : operands[0].text && `${operands[0].text}/.git`,
    });
  },
  archive: "v | o:w output:w format: prefix: remote:c exec:c add-file:r",
  "format-patch": "!w v | o:w output-directory:w",
  "merge-file": "w r",
  "mailinfo mailsplit": "w",
  "difftool mergetool": "!cw v",
};
