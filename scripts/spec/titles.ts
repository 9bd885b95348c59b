import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A test whose title names the sentence of the specification that it proves. */
export interface Proof {
  section: string
  /** The title after `spec <section>: `. */
  title: string
  file: string
}

/** Matches a quoted title that starts with `spec <section>:`, in TypeScript or SQL. Quotes inside are escaped or doubled. */
const titlePattern = /(['"`])spec (\d): ((?:\\.|''|(?!\1)[^\\\n])+)\1/g

/**
 * Finds all tests whose title starts with `spec <section>: `, without titles that are computed at run time.
 */
export function readProofs(): Proof[] {
  const files = execFileSync('git', ['ls-files', 'src', 'supabase/tests', 'tests'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(test|spec)\.tsx?$|^supabase\/tests\/.*\.sql$/.test(file))
  const proofs = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(titlePattern)].map(([, , section = '', title = '']) => ({
      section,
      title: title.replace(/\\(['"`])/g, '$1').replaceAll("''", "'"),
      file,
    })),
  )
  return proofs.filter(({ title }) => !title.includes('${'))
}

/**
 * True if a title names this sentence: the title begins with the sentence's scope (its words before the colon). After the scope, the title
 * contains the rest of the sentence, or the sentence contains the rest of the title. Ignores case, the signs `. : ;` and a remark in brackets at
 * the end of the title.
 */
export function namesSentence(title: string, sentence: string): boolean {
  const [scope, words] = splitScope(sentence)
  const plainTitle = normalized(title)
  if (!plainTitle.startsWith(normalized(scope))) return false
  return (
    plainTitle.includes(normalized(words)) ||
    normalized(words).includes(normalized(withoutRemark(title).slice(scope.length)))
  )
}

/** Splits 'Deal stage: moved' into the scope before the colon ('' without one) and the rest. */
function splitScope(sentence: string): [string, string] {
  const [, scope = '', words = sentence] = /^([^:']{1,60}): (.*)$/.exec(sentence) ?? []
  return [scope, words]
}

function withoutRemark(title: string): string {
  return title.replace(/ \([^()]*\)$/, '')
}

function normalized(text: string): string {
  return text.toLowerCase().replace(/[.:;]/g, '').replace(/\s+/g, ' ').trim()
}
