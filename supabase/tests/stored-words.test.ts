import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const migration = (name: string) => readFileSync(join(import.meta.dirname, '../migrations', name), 'utf8')

/** Returns the stored search words of all records of the brand. */
async function readWords(): Promise<{ words: string }[]> {
  const selects = ['contacts', 'companies', 'deals', 'tasks', 'notes'].map(
    (table) =>
      `select '${table}' as "table", id, words::text from private.${table}_words where brand_id = '${scene.acme}'`,
  )
  return (await scene.owner.query<{ words: string }>(`${selects.join(' union all ')} order by 1, 2`)).rows
}

it('the migration of typographic apostrophes stores the search words that are computed after it', async () => {
  const [before] = /create or replace function private\.without_accents.*?\$\$;/s.exec(
    migration('20261207000000_writes_cost_less.sql'),
  ) ?? ['']
  await scene.owner.query(before)
  await scene.as('bo')(
    `with company as (insert into companies (brand_id, name) values ($1, 'Rock ʼn ‘Müller′ O’Hara') returning id),
     contact as (insert into contacts (brand_id, first_name, email, company_id) select $1, 'Zoë', 'zoe@x.y', id from company returning id),
     deal as (insert into deals (brand_id, name, stage_id, contact_id) select $1, 'Dʼ Arc', (select id from deal_stages where brand_id = $1 limit 1), id from contact),
     task as (insert into tasks (brand_id, title, due_at) values ($1, 'Call O’Hara', now()))
     insert into notes (brand_id, body, contact_id) select $1, body, id from contact cross join unnest(array['Памʼять of Ünal', 'O’Hara']) body`,
    [scene.acme],
  )
  const stored = await readWords()
  await scene.owner.query(migration('20270128000300_typographic_apostrophes.sql'))
  const rewritten = await readWords()
  expect(stored.map(({ words }) => words).filter((words) => /[’‘ʼ′]/.test(words))).toHaveLength(5)
  expect(rewritten.map(({ words }) => words).join(' ')).not.toMatch(/[’‘ʼ′]/)
  await scene.owner.query('select private.write_all_words()')
  expect(await readWords()).toEqual(rewritten)
})
