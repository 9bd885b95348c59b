import { type ParsedFile, parseFile } from './parsed-files.ts'

/** Parses texts as files, by path, for tests of figures that use no files on the disk. */
export function parseTexts(texts: Record<string, string>): ParsedFile[] {
  return Object.entries(texts).map(([file, text]) => parseFile(file, text))
}
