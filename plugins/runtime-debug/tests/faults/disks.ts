import { execFile } from "node:child_process";
import { open, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { lastly, scratch } from "../server-harness.ts";

const run = promisify(execFile);

/** A small file system in memory that is unmounted after the test. */
export async function memoryDisk(t: TestContext, bytes: number): Promise<string> {
  const folder = join(await scratch(t), "disk");
  await mkdir(folder);
  await run("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "none", folder]);
  lastly(t, () => run("umount", ["--lazy", folder]));
  return folder;
}

/** Takes all the space that is left, down to the last byte. Returns the file that takes it. */
export async function ballast(folder: string): Promise<string> {
  const path = join(folder, "ballast");
  const file = await open(path, "a");
  for (let size = 65_536; size >= 1;) {
    const written = await file.write(Buffer.alloc(size)).then(
      ({ bytesWritten }) => bytesWritten,
      () => 0,
    );
    if (written < size) size = Math.floor(size / 2);
  }
  await file.close();
  return path;
}

/** A disk whose power can be cut. */
export interface PowerDisk {
  readonly folder: string;
  /** From now on nothing reaches the disk, not even the journal of the file system. */
  readonly cut: () => Promise<void>;
  /** Mounts the contents of the disk. No process may have a file of it open. */
  readonly again: () => Promise<void>;
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const CUT = `open(my $disk, "<", $ARGV[0]) or die $!; my $flags = pack("L", 2); ioctl($disk, 0x8004587d, $flags) or die $!;`;

/** An ext4 file system in an image file. */
export async function powerDisk(t: TestContext): Promise<PowerDisk> {
  const below = await scratch(t);
  const [image, folder] = [join(below, "image"), join(below, "disk")];
  await writeFile(image, "");
  await run("truncate", ["--size", "64M", image]);
  await run("mkfs.ext4", ["-q", "-F", image], { env: { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` } });
  await mkdir(folder);
  const mount = (): Promise<unknown> => run("mount", ["-o", "loop", image, folder]);
  await mount();
  lastly(t, () => run("umount", ["--lazy", folder]));
  return {
    folder,
    cut: async () => void (await run("perl", ["-e", CUT, folder])),
    again: async () => {
      await run("umount", [folder]);
      await mount();
    },
  };
}

/** Makes a folder read-only, for root too. */
export async function readOnly(t: TestContext, folder: string): Promise<void> {
  await run("mount", ["--bind", folder, folder]);
  lastly(t, () => run("umount", ["--lazy", folder]));
  await run("mount", ["-o", "remount,bind,ro", folder]);
}
