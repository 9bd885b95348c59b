import { parseArgs } from 'node:util'

/** The arguments that a command accepts. */
export interface Signature {
  /** The command with its arguments, as the usage shows them: `sessions EMAIL [--end]`. */
  usage: string
  /** Minimum number of words after the name of the command. Default: 0. */
  minWords?: number
  maxWords: number
  /** The names of the command's options, without hyphens. */
  options?: readonly string[]
}

export interface CommandArguments {
  /** The words after the name of the command. */
  words: string[]
  /** The names of the given options, without hyphens. */
  options: ReadonlySet<string>
}

/**
 * Reads the arguments of a command; the first word is the command's name. Throws an error with the usage if there are too few or too many words, or
 * if the command does not have a given option. Such arguments are not ignored, because the command would then do something else than the
 * operator meant. After `--`, a word may begin with a hyphen.
 */
export function readArguments(
  args: readonly string[],
  { usage, minWords = 0, maxWords, options = [] }: Signature,
): CommandArguments {
  const { tokens } = parseArgs({ args: [...args], strict: false, tokens: true })
  const given = tokens.filter((token) => token.kind === 'option')
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])).slice(1)
  const usageLine = `Usage: npm run admin -- ${usage}`
  const unknown = given.find(
    ({ name, rawName, value }) => rawName !== `--${name}` || value !== undefined || !options.includes(name),
  )
  if (unknown !== undefined) throw new Error(`Unknown option ${args[unknown.index]}.\n${usageLine}`)
  const extraWord = words[maxWords]
  if (extraWord !== undefined) throw new Error(`Unexpected argument ${extraWord}.\n${usageLine}`)
  if (words.length < minWords) throw new Error(usageLine)
  return { words, options: new Set(given.map(({ name }) => name)) }
}
