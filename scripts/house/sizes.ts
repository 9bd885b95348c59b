import { isTest } from './parsed-files.ts'
import type { SourceTree } from './source-tree.ts'

/** The number of files and lines of a part of the code. */
export interface Size {
  part: string
  files: number
  lines: number
  /** Lines per file: the median and the 90th percentile. */
  median: number
  p90: number
  /** Files over 200 lines, the longest first. */
  long: readonly { file: string; lines: number }[]
}

/** A file with more lines than this counts as long. */
export const maxLinesOfShortFile = 200

const codeFile = /\.(tsx?|mjs|css|sql)$/

const partContains: Record<string, (file: string) => boolean> = {
  'src/web': (file) => file.startsWith('src/web/') && !isTest(file),
  'src/web/data': (file) => file.startsWith('src/web/data/') && !isTest(file),
  'src/server': (file) => file.startsWith('src/server/') && !isTest(file),
  'src/shared': (file) => file.startsWith('src/shared/') && !isTest(file),
  'supabase/migrations': (file) => file.startsWith('supabase/migrations/'),
  tests: (file) => /^(tests|supabase\/tests)\//.test(file) || isTest(file),
}

/** Computes the size of each part of the code. Tests count as a part of their own. */
export function sizes(tree: Pick<SourceTree, 'files' | 'read'>): Size[] {
  return Object.entries(partContains).map(([part, isInPart]) => {
    const files = tree.files.filter((file) => codeFile.test(file) && isInPart(file))
    const sizesOfFiles = files.map((file) => ({ file, lines: linesIn(tree.read(file)) }))
    sizesOfFiles.sort((a, b) => b.lines - a.lines)
    const lengths = sizesOfFiles.map(({ lines }) => lines).toReversed()
    return {
      part,
      files: files.length,
      lines: lengths.reduce((sum, lines) => sum + lines, 0),
      median: percentile(lengths, 0.5),
      p90: percentile(lengths, 0.9),
      long: sizesOfFiles.filter(({ lines }) => lines > maxLinesOfShortFile),
    }
  })
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/** Returns a percentile of sorted lengths (nearest-rank method), such as the median for `share` 0.5. Returns 0 for an empty list. */
function percentile(lengths: readonly number[], share: number): number {
  return lengths[Math.max(0, Math.ceil(share * lengths.length) - 1)] ?? 0
}
