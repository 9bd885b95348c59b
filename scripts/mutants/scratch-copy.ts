import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface ScratchCopy {
  folder: string
  /** Relative paths, sorted. */
  files: string[]
  read(file: string): string
  /** Runs `work` while the given files have other texts. Then restores them. */
  with<T>(texts: Record<string, string>, work: () => Promise<T>): Promise<T>
  remove(): void
}

/**
 * Copies the working tree to a temporary folder, where code can be changed. Later edits of the original files do not
 * affect the copy. `node_modules` and `dist` of the copy are links to the original folders.
 */
export function scratchCopy(root: string): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), 'banyan-mutants-'))
  const listedFiles = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  const files = listedFiles
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .toSorted()
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  for (const linkedFolder of ['node_modules', 'dist'])
    if (existsSync(join(root, linkedFolder))) symlinkSync(join(root, linkedFolder), join(folder, linkedFolder))
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    files,
    read,
    async with(texts, work) {
      const originalTexts = Object.keys(texts).map((file) => [file, read(file)] as const)
      try {
        for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text)
        return await work()
      } finally {
        for (const [file, text] of originalTexts) writeFileSync(join(folder, file), text)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
