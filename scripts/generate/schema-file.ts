import type pg from 'pg'
import type { Migration } from '#server/db/migration-files.ts'
import { type Chapters, readChapters } from './chapter-comments.ts'
import { type Column, type Relation, readSchema, type Routine } from './read-schema.ts'

const heading = `-- Written by \`npm run generate\` from a database that supabase/migrations has made: the law of today in one file, to be read and not to
-- be run. Tables and functions stand in the order of the chapters, each in the chapter that has made it; functions without their bodies.
-- The body of a function is in that file, or in the later one that its line names. Triggers and policies stand with their table. Do not edit.
`

/** supabase/schema.sql: the catalogue of a migrated database, with the comments of the migrations. */
export async function schemaFile(owner: pg.Pool, migrations: readonly Migration[]): Promise<string> {
  const chapters = readChapters(migrations)
  const { relations, routines, types } = await readSchema(owner)
  const sections = chapters.files.map((file) => {
    const isOf = (key: string) => chapters.fileOf.get(key) === file
    const parts = [
      ...types.filter(({ name }) => isOf(`type ${name}`)).map((one) => typeText(one, chapters)),
      ...inOrder(relations, 'table', file, chapters).map((one) => tableText(one, chapters)),
      ...relations.filter(({ name }) => chapters.guestOf.get(name) === file).map(guestText),
      ...inOrder(routines, 'function', file, chapters).map((one) => routineText(one, chapters)),
    ]
    return parts.length > 0 ? `\n-- ==== ${file} ====\n\n${parts.join('\n')}` : ''
  })
  const homeless = [
    ...relations.filter(({ name }) => /^(public|private)\./.test(name) && !chapters.fileOf.has(`table ${name}`)),
    ...routines.filter(({ name }) => !chapters.fileOf.has(`function ${name}`)),
  ]
  if (homeless.length > 0) throw new Error(`No migration creates ${homeless.map(({ name }) => name).join(', ')}.`)
  return heading + sections.join('')
}

/** Those of a file, in the order in which it creates them. */
function inOrder<One extends { name: string }>(all: readonly One[], kind: string, file: string, { fileOf }: Chapters) {
  return [...fileOf].flatMap(([key, place]) =>
    place === file && key.startsWith(`${kind} `) ? all.filter(({ name }) => key === `${kind} ${name}`) : [],
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
    ...separated(lines),
    ');',
    ...(table.rowSecurity ? [`alter table ${table.name} enable row level security;`] : []),
    ...(table.isPublished ? [`alter publication supabase_realtime add table ${table.name};`] : []),
    ...statements([...table.grants, ...table.indexes, ...table.triggers, ...table.policies]),
    '',
  ].join('\n')
}

/** A table of the platform: only what the product has added. */
function guestText({ name, triggers, policies }: Relation): string {
  return [`-- On ${name}:`, ...statements([...triggers, ...policies]), ''].join('\n')
}

function typeText({ name, columns }: { name: string; columns: Column[] }, chapters: Chapters): string {
  const lines = columnLines(name, columns, chapters)
  return [
    ...(chapters.commentOf.get(`type ${name}`) ?? []),
    `create type ${name} as (`,
    ...separated(lines),
    ');',
    '',
  ].join('\n')
}

function routineText({ name, signature, manner }: Routine, { commentOf, fileOf, lastFileOf }: Chapters): string {
  const key = `function ${name}`
  const last = lastFileOf.get(key)
  const remark = last === fileOf.get(key) ? manner : `${manner}; body in ${last}`
  return [...(commentOf.get(key) ?? []), `create ${lowerCase(signature)}; -- ${remark}`, ''].join('\n')
}

/** Each column with its comment above it. */
function columnLines(relation: string, columns: readonly Column[], { commentOf }: Chapters): string[][] {
  return columns.map(({ name, definition }) => [
    ...(commentOf.get(`column ${relation}.${name}`) ?? []).map((line) => `  ${line}`),
    `  ${name} ${lowerCase(definition)}`,
  ])
}

/** A comma behind each but the last. */
function separated(groups: readonly string[][]): string[] {
  return groups.flatMap((lines, index) =>
    index === groups.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1)},`],
  )
}

/** Each with what it is for on a line of its own. */
function statements(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const line = `${lowerCase(text)};`
    const cut = /^create (?:constraint )?trigger/.test(line) ? / (?=for each )/g : / (?=using \(|with check \()/g
    return line.startsWith('create index') || line.startsWith('create unique index')
      ? line
      : line.replaceAll(cut, '\n  ')
  })
}

/** PostgreSQL writes keywords in capitals; what stands in quotes stays. */
function lowerCase(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'|"[^"]*"|\b[A-Z]+\b/g, (found) =>
    /^['"]/.test(found) ? found : found.toLowerCase(),
  )
}
