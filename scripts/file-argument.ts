import { isAbsolute, join } from 'node:path'

/**
 * Returns the absolute path of the file that the arguments of `npm run <command> -- FILE` name. With `--help`, prints `help` and
 * ends the process with 0. If the arguments are not exactly one file, prints the usage and ends the process with 1. An argument
 * that begins with a hyphen is an option, never a file: a mistyped option must not become the name of a file.
 */
export function readFileArgument(command: string, help: string): string {
  const args = process.argv.slice(2)
  const usage = `Usage: npm run ${command} -- FILE`
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${usage}\n${help}`)
    process.exit(0)
  }
  const option = args.find((argument) => argument.startsWith('-'))
  const [file] = args
  if (option !== undefined || file === undefined || args.length > 1) {
    if (option !== undefined) console.error(`Unknown option ${option}. A file of this name is written ./${option}.`)
    console.error(usage)
    process.exit(1)
  }
  // npm runs scripts in the project's folder; the file name is relative to the folder in which the user called npm.
  return isAbsolute(file) ? file : join(process.env.INIT_CWD ?? process.cwd(), file)
}
