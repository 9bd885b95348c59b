import type { Migration } from '#server/db/migration-files.ts'

/** For each table, function and type: the first and the last file that defines it, and the comment above the last definition that has a comment. */
export interface Chapters {
  /** Names of the migration files, in the order in which they run. */
  files: string[]
  /** The file of the first definition. The keys have the form `table public.deals`, `function private.trimmed`, `type private.import_row`. */
  fileOf: Map<string, string>
  /** The file of the last definition, by the keys of `fileOf`: a later migration may replace a function. */
  lastFileOf: Map<string, string>
  /** The lines of the comment, by the keys of `fileOf`. Keys of columns have the form `column public.deals.amount`. */
  commentOf: Map<string, string[]>
  /** The first file that adds a trigger or policy to a table of the platform, by the name of the table (auth.users). */
  platformFileOf: Map<string, string>
}

/** Finds the files and comments of all definitions in the text of the migrations, because PostgreSQL stores neither. */
export function readChapters(migrations: readonly Migration[]): Chapters {
  const chapters: Chapters = {
    files: migrations.map(({ name }) => name),
    fileOf: new Map(),
    lastFileOf: new Map(),
    commentOf: new Map(),
    platformFileOf: new Map(),
  }
  for (const { name, text } of migrations) readChapter(chapters, name, text.split('\n'))
  return chapters
}

function readChapter(
  { fileOf, lastFileOf, commentOf, platformFileOf }: Chapters,
  file: string,
  lines: readonly string[],
): void {
  let comment: string[] = []
  let table: string | null = null
  const addDefinition = (key: string) => {
    if (!fileOf.has(key)) fileOf.set(key, file)
    lastFileOf.set(key, file)
    if (comment.length > 0) commentOf.set(key, comment)
  }
  for (const line of lines) {
    const trimmedLine = line.trim()
    if (trimmedLine.startsWith('--')) {
      comment = [...comment, trimmedLine]
      continue
    }
    const [, kind, name] = /^create (?:or replace )?(table|function|procedure|type) ([\w.]+)/.exec(line) ?? []
    const [, alteredTable, addedColumn] = /^alter table ([\w.]+) add column (\w+)/.exec(line) ?? []
    const column = /^ {2}(\w+) /.exec(line)?.[1]
    const platformTable = /\bon ((?:auth|realtime)\.\w+)/.exec(
      /^create (?:constraint )?(?:trigger|policy) .*/.exec(line)?.[0] ?? '',
    )?.[1]
    if (kind && name) addDefinition(`${kind === 'procedure' ? 'function' : kind} ${name}`)
    if (alteredTable && addedColumn) addDefinition(`column ${alteredTable}.${addedColumn}`)
    if (table && column) addDefinition(`column ${table}.${column}`)
    if (platformTable && !platformFileOf.has(platformTable)) platformFileOf.set(platformTable, file)
    if (kind === 'table' || kind === 'type') table = name ?? null
    if (line.startsWith(')')) table = null
    comment = []
  }
}
