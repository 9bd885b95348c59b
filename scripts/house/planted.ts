import { type ParsedFile, parsed } from './parsed-files.ts'

/** For tests of counters: files by their paths, without a disk. */
export function planted(texts: Record<string, string>): ParsedFile[] {
  return Object.entries(texts).map(([file, text]) => parsed(file, text))
}
