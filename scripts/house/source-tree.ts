import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of one state of the code. Paths are relative to the root of the repository. */
export interface SourceTree {
  /** The folder on this disk that contains the files. */
  folder: string
  files: readonly string[]
  read(file: string): string
  /** Removes the temporary copy of the files, if there is one. */
  remove(): void
}

/** Returns the files of the working tree, including uncommitted changes. */
export function workingTree(root: string): SourceTree {
  const files = gitPaths(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  return treeOf(
    root,
    files.filter((file) => existsSync(join(root, file))),
    () => {},
  )
}

/** Copies the files of a commit to a temporary folder. The copy uses the packages that are installed in `root`. */
export function committedTree(root: string, commit: string): SourceTree {
  const files = gitPaths(root, 'ls-tree', '-r', '-z', '--name-only', '--full-tree', commit)
  const folder = mkdtempSync(join(tmpdir(), 'banyan-house-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    remove()
    throw error
  }
  return treeOf(folder, files, remove)
}

function treeOf(folder: string, files: readonly string[], remove: () => void): SourceTree {
  return { folder, files: files.toSorted(), read: (file) => readFileSync(join(folder, file), 'utf8'), remove }
}

function gitPaths(root: string, ...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .split('\0')
    .filter(Boolean)
}
