import type pg from 'pg'
import type { Migration } from '#server/db/migration-files.ts'
import { type Chapters, readChapters } from './chapter-comments.ts'
import { type Column, type Relation, readSchema, type Routine } from './read-schema.ts'

const heading = `-- Written by \`npm run generate\` from a database that supabase/migrations has made: the current schema in one file, for reading only.
-- Tables and functions are in the order of the chapters, each under the chapter that created it. Functions have no bodies here: the body is
-- in that chapter, or in the later file that the function's line names. Triggers and policies follow their table. Do not edit.
`

/**
 * Returns the content of supabase/schema.sql: the catalogue of a migrated database, with the comments of the migrations. Throws if the
 * database has a table or a function that no migration creates.
 */
export async function schemaFile(owner: pg.Pool, migrations: readonly Migration[]): Promise<string> {
  const chapters = readChapters(migrations)
  const { relations, routines, types } = await readSchema(owner)
  const sections = chapters.files.map((file) => {
    const parts = [
      ...types
        .filter(({ name }) => chapters.fileOf.get(`type ${name}`) === file)
        .map((type) => typeText(type, chapters)),
      ...inFileOrder(relations, 'table', file, chapters).map((table) => tableText(table, chapters)),
      ...relations.filter(({ name }) => chapters.platformFileOf.get(name) === file).map(platformTableText),
      ...inFileOrder(routines, 'function', file, chapters).map((routine) => routineText(routine, chapters)),
    ]
    return parts.length > 0 ? `\n-- ==== ${file} ====\n\n${parts.join('\n')}` : ''
  })
  const unassigned = [
    ...relations.filter(({ name }) => /^(public|private)\./.test(name) && !chapters.fileOf.has(`table ${name}`)),
    ...routines.filter(({ name }) => !chapters.fileOf.has(`function ${name}`)),
  ]
  if (unassigned.length > 0) throw new Error(`No migration creates ${unassigned.map(({ name }) => name).join(', ')}.`)
  return heading + sections.join('')
}

/** Returns the tables or functions of a file, in the order in which the file creates them. */
function inFileOrder<Named extends { name: string }>(
  relationsOrRoutines: readonly Named[],
  kind: string,
  file: string,
  { fileOf }: Chapters,
) {
  return [...fileOf].flatMap(([key, creatingFile]) =>
    creatingFile === file && key.startsWith(`${kind} `)
      ? relationsOrRoutines.filter(({ name }) => key === `${kind} ${name}`)
      : [],
  )
}

function tableText(table: Relation, chapters: Chapters): string {
  const lines = [
    ...columnLines(table.name, table.columns, chapters),
    ...table.constraints.map((text) => [`  ${lowerCase(text)}`]),
  ]
  return [
    ...(chapters.commentOf.get(`table ${table.name}`) ?? []),
    `create table ${table.name} (`,
    ...withCommas(lines),
    ');',
    ...(table.hasRowSecurity ? [`alter table ${table.name} enable row level security;`] : []),
    ...(table.isPublished ? [`alter publication supabase_realtime add table ${table.name};`] : []),
    ...statements([...table.grants, ...table.indexes, ...table.triggers, ...table.policies]),
    '',
  ].join('\n')
}

/** Returns the statements of the triggers and policies that the product adds to a table of the platform. */
function platformTableText({ name, triggers, policies }: Relation): string {
  return [`-- On ${name}:`, ...statements([...triggers, ...policies]), ''].join('\n')
}

function typeText({ name, columns }: { name: string; columns: Column[] }, chapters: Chapters): string {
  const lines = columnLines(name, columns, chapters)
  return [
    ...(chapters.commentOf.get(`type ${name}`) ?? []),
    `create type ${name} as (`,
    ...withCommas(lines),
    ');',
    '',
  ].join('\n')
}

function routineText({ name, signature, properties }: Routine, { commentOf, fileOf, lastFileOf }: Chapters): string {
  const key = `function ${name}`
  const lastFile = lastFileOf.get(key)
  const remark = lastFile === fileOf.get(key) ? properties : `${properties}; body in ${lastFile}`
  return [...(commentOf.get(key) ?? []), `create ${lowerCase(signature)}; -- ${remark}`, ''].join('\n')
}

/** Returns the lines of each column: its comment, then its definition. */
function columnLines(relation: string, columns: readonly Column[], { commentOf }: Chapters): string[][] {
  return columns.map(({ name, definition }) => [
    ...(commentOf.get(`column ${relation}.${name}`) ?? []).map((line) => `  ${line}`),
    `  ${name} ${lowerCase(definition)}`,
  ])
}

/** Adds a comma to the last line of each group except the last group. */
function withCommas(groups: readonly string[][]): string[] {
  return groups.flatMap((lines, index) =>
    index === groups.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1)},`],
  )
}

/** Formats statements. `for each` of a trigger, and `using` and `with check` of a policy, begin a new line. */
function statements(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const line = `${lowerCase(text)};`
    const lineBreaks = /^create (?:constraint )?trigger/.test(line) ? / (?=for each )/g : / (?=using \(|with check \()/g
    return line.startsWith('create index') || line.startsWith('create unique index')
      ? line
      : line.replaceAll(lineBreaks, '\n  ')
  })
}

/** Turns PostgreSQL's upper-case keywords into lower case. Quoted text stays as it is. */
function lowerCase(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\b[A-Z]+\b/g, (token) =>
    /^['"]/.test(token) ? token : token.toLowerCase(),
  )
}
