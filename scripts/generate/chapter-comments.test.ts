import { expect, test } from 'vitest'
import { readChapters } from './chapter-comments.ts'

const notesSql = `-- Notes.

-- What somebody wrote.
create table public.notes (
  id uuid,
  -- As it was typed.
  body text
);

-- NOT A COMMENT OF THE NEXT ONE

create function private.count_notes() returns bigint
language sql
as $$
  select count(*) from public.notes
$$;
create trigger note_people after insert on auth.users for each row execute function private.note_people();
`
const laterSql = `-- Who reads it.
alter table public.notes add column reader uuid;
-- Notes that are read.
create or replace function private.count_notes() returns bigint
`
const migration = (name: string, text: string) => ({ source: 'product', name, text, checksum: '' })
const chapters = readChapters([migration('1_notes.sql', notesSql), migration('2_more.sql', laterSql)])

test('a table or function belongs to the file that created it first, with the comment of its last definition', () => {
  expect(chapters.fileOf.get('function private.count_notes')).toBe('1_notes.sql')
  expect(chapters.lastFileOf.get('function private.count_notes')).toBe('2_more.sql')
  expect(chapters.commentOf.get('function private.count_notes')).toEqual(['-- Notes that are read.'])
  expect(chapters.commentOf.get('table public.notes')).toEqual(['-- What somebody wrote.'])
  expect(chapters.platformFileOf.get('auth.users')).toBe('1_notes.sql')
})

test('a column has the comment above it, also if a later migration added the column', () => {
  expect(chapters.commentOf.get('column public.notes.body')).toEqual(['-- As it was typed.'])
  expect(chapters.commentOf.get('column public.notes.reader')).toEqual(['-- Who reads it.'])
  expect(chapters.commentOf.has('column public.notes.id')).toBe(false)
})
