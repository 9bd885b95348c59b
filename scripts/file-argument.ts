import { dirname, isAbsolute, join } from 'node:path'
import { describeFailure } from '#server/start-failure.ts'

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

/**
 * Returns the reason for which a command failed, in one line, with what to do. If the command could not `read` or `write` its
 * `file` (or the draft of it, `FILE.partial`), the line is about this file, and not about DATA_DIR.
 */
export function describeFileFailure(error: unknown, file: string, access: 'read' | 'write'): string {
  const { code, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  // Reading a directory fails only after it was opened, with an error that has no path.
  if (code === 'EISDIR' && (path === undefined || path === file)) return `${file} is a directory. Name a file.`
  if (path !== file && path !== `${file}.partial`) return describeFailure(error)
  const isRead = access === 'read'
  if (code === 'ENOENT')
    return isRead
      ? `${file} does not exist. Check the name of the file.`
      : `The folder ${dirname(file)} does not exist. Create it, or choose another one.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk of ${dirname(file)} is full. Free some space, or choose another folder.`
  if (code === 'ENOTDIR') return `${file}: a part of this path is not a directory. Choose another name.`
  if (code === 'EROFS') return `${file} cannot be written: the file system is read-only. Choose another folder.`
  if (code !== 'EACCES' && code !== 'EPERM') return describeFailure(error)
  return isRead
    ? `${file} cannot be read: permission denied. Run this as a user who may read it.`
    : `${file} cannot be written: permission denied. Choose another folder, or run this as a user who may write to it.`
}
