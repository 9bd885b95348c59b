/**
 * `src/web/ui` is a design system: its file names, identifiers, imports and texts on screen contain no product noun. Code with product
 * nouns belongs to `src/web/crm`. Comments may use product nouns as examples. A step of `npm run check`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

interface SourceFile {
  file: string
  source: string
}

const productNoun =
  /^(deals?|contacts?|compan(y|ies)|tasks?|brands?|stages?|pipelines?|members?|memberships?|records?|owners?|invitations?)$/

/** Returns 'src/web/ui/card.tsx: record' for each product noun of these files. */
export function productNounsIn(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ file, source }) => {
    const texts = [basename(file), ...textsOf(parseSync(file, source).program)]
    const nouns = texts.flatMap(wordsOf).filter((word) => productNoun.test(word))
    return [...new Set(nouns)].map((noun) => `${file}: ${noun}`)
  })
}

/** Reads the files of the design system, without tests, which may use product nouns as examples. */
export function uiFiles(): SourceFile[] {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', 'src/web/ui'], {
    encoding: 'utf8',
  })
  return paths
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && existsSync(file))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }))
}

/** Returns every identifier and text of a syntax tree, without TypeScript's type `Record`. */
function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf)
  if (typeof node !== 'object' || node === null) return []
  const { type, name, value, typeName } = node as Record<string, unknown>
  if (type === 'TSTypeReference' && (typeName as { name?: unknown }).name === 'Record')
    return textsOf((node as { typeArguments?: unknown }).typeArguments)
  const ownTexts = [name, value].filter((text) => typeof text === 'string')
  const templateTexts = type === 'TemplateElement' ? [(value as { raw: string }).raw] : []
  return [...ownTexts, ...templateTexts, ...Object.values(node).flatMap(textsOf)]
}

/** Splits a camelCase text into lower-case words: 'recordKey' into 'record' and 'key'. */
function wordsOf(text: string): string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = productNounsIn(uiFiles())
  for (const line of findings) console.error(`${line} is a product noun: code that uses it belongs to src/web/crm.`)
  if (findings.length > 0) process.exit(1)
}
