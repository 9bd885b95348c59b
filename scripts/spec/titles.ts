import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A test whose title names the sentence of the specification that it proves. */
export interface Proof {
  section: string
  /** The title after `spec <section>: `. */
  title: string
  file: string
}

/** A quoted title that starts with `spec <section>:`, in TypeScript or SQL; quotes inside are escaped or doubled. */
const titlePattern = /(['"`])spec (\d): ((?:\\.|''|(?!\1)[^\\\n])+)\1/g

/**
 * All tests of the project whose title starts with `spec <section>: `, without titles that are computed at run time.
 */
export function readProofs(): Proof[] {
  const files = execFileSync('git', ['ls-files', 'src', 'supabase/tests', 'tests'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(test|spec)\.tsx?$|^supabase\/tests\/.*\.sql$/.test(file))
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(titlePattern)].map(([, , section = '', title = '']) => ({
      section,
      title: title.replace(/\\(['"`])/g, '$1').replaceAll("''", "'"),
      file,
    })),
  )
  return found.filter(({ title }) => !title.includes('${'))
}

/**
 * Whether a title names this sentence: one contains the other, ignoring case, full stops and a remark in brackets at
 * the end.
 */
export function names(title: string, sentence: string): boolean {
  const [scope, words] = parts(sentence)
  const bare = plain(title)
  if (!bare.startsWith(plain(scope))) return false
  return bare.includes(plain(words)) || plain(words).includes(plain(withoutRemark(title).slice(scope.length)))
}

/** 'Deal stage: moved' -> the scope before the colon ('' without one), and the rest. */
function parts(sentence: string): [string, string] {
  const [, scope = '', words = sentence] = /^([^:']{1,60}): (.*)$/.exec(sentence) ?? []
  return [scope, words]
}

function withoutRemark(title: string): string {
  return title.replace(/ \([^()]*\)$/, '')
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[.:;]/g, '').replace(/\s+/g, ' ').trim()
}
