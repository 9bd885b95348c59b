import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
let contact: string
let company: string
let deal: string

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  ;[contact, company, deal] = [randomUUID(), randomUUID(), randomUUID()]
  await runInAcme('bo', `insert into companies (brand_id, id, name) values ($1, $2, 'Big')`, company)
  await runInAcme('bo', `insert into contacts (brand_id, id, first_name) values ($1, $2, 'Zoe')`, contact)
  await runInAcme('bo', `select quick_create_deal($1, 'Deal', null, $2)`, deal)
})

const runInAcme = (person: Person, text: string, ...values: unknown[]) =>
  scene.as(person)(text, [scene.acme, ...values])
const writeNote = async (person: Person, links: Partial<Record<string, string>> = { contact_id: contact }) => {
  const [id, names] = [randomUUID(), Object.keys(links)]
  const placeholders = names.map((_, index) => `, $${index + 3}`).join('')
  await runInAcme(
    person,
    `insert into notes (brand_id, id, body${names.map((name) => `, ${name}`).join('')}) values ($1, $2, 'Wants a **quote**'${placeholders})`,
    id,
    ...Object.values(links),
  )
  return id
}
const noteOf = async (id: string) =>
  (await runInAcme('service', 'select * from notes where brand_id = $1 and id = $2', id)).rows[0]
/** Returns the note without the fields that a delete and its undo may change. */
const lastingFields = (note: Record<string, unknown> | undefined) => {
  if (note === undefined) return note
  const { rev: _rev, version: _version, updated_at: _at, updated_by: _by, ...rest } = note
  return rest
}
const remove = (table: string, id: string) =>
  runInAcme('bo', `delete from ${table} where brand_id = $1 and id = $2`, id)
const restore = (table: string, ...ids: string[]) => runInAcme('bo', 'select restore_records($1, $2, $3)', table, ids)

describe('a note', () => {
  it('a note gets its author from SQL and a text without white space at its ends, and can be read by everybody of the brand', async () => {
    const id = randomUUID()
    await runInAcme(
      'bo',
      `insert into notes (brand_id, id, body, contact_id) values ($1, $2, E' Called \\n', $3)`,
      id,
      contact,
    )
    const { rows } = await runInAcme('kim', 'select * from notes where brand_id = $1 and id = $2', id)
    expect(rows).toMatchObject([{ body: 'Called', kind: 'note', author_id: scene.ids.bo, pinned: false }])
    expect((await scene.as('eve')('select from notes where id = $1', [id])).rowCount).toBe(0)
  })

  // $2 is a contact of the brand, $3 one of another brand.
  it.each([
    ['without a link', `body`, `'x'`, '23514 A note needs a contact, a company or a deal.'],
    [
      'in the name of another person',
      `body, contact_id, author_id`,
      `'x', $2, '11111111-1111-4111-8111-111111111111'`,
      "42501 A note is written in one's own name.",
    ],
    ['without a text', `body, contact_id`, `E' \\n', $2`, /^23514 .*notes_body_check/],
    ['as an email without a text', `kind, body, contact_id`, `'email', '', $2`, /^23514 .*notes_body_check/],
    ['as a call of 10 MB', `kind, body, contact_id`, `'call', repeat('x', 10000000), $2`, /^23514 .*notes_body_check/],
    ['as a call whose text is null', `kind, contact_id`, `'call', $2`, /^23502 /],
    ['without the column body', `contact_id`, `$2`, /^23502 /],
    ['of 10 MB', `body, contact_id`, `repeat('x', 10000000), $2`, /^23514 .*notes_body_check/],
    ['of an unknown kind', `kind, body, contact_id`, `'fax', 'x', $2`, /^23514 .*notes_kind_check/],
    ['at an infinite time', `occurred_at, body, contact_id`, `'infinity', 'x', $2`, /^23514 .*notes_occurred_at_check/],
    ['about a contact of another brand', `body, contact_id`, `'x', $3`, /^23503 /],
  ])('a note is refused %s', async (_, columns, values, expected) => {
    const foreignContact = randomUUID()
    await scene.as('eve')(`insert into contacts (brand_id, id, first_name) values ($1, $2, 'Zoe')`, [
      scene.umbra,
      foreignContact,
    ])
    const filled = values.replaceAll('$2', `'${contact}'`).replaceAll('$3', `'${foreignContact}'`)
    const insertion = runInAcme('bo', `insert into notes (brand_id, ${columns}) values ($1, ${filled})`)
    expect(await refusalOf(insertion)).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected)
  })

  it('a note without a text can be a call or a meeting, with the person who logged it, but no plain note', async () => {
    for (const kind of ['call', 'meeting']) {
      const id = randomUUID()
      await runInAcme(
        'bo',
        `insert into notes (brand_id, id, kind, body, contact_id) values ($1, $2, '${kind}', E' \\u200b\\n', $3)`,
        id,
        contact,
      )
      const { rows } = await runInAcme(
        'kim',
        'select kind, body, author_id from notes where brand_id = $1 and id = $2',
        id,
      )
      expect(rows).toEqual([{ kind, body: '', author_id: scene.ids.bo }])
      const change = (set: string) => runInAcme('bo', `update notes set ${set} where brand_id = $1 and id = $2`, id)
      expect(await refusalOf(change(`kind = 'note'`))).toMatch(/^23514 .*notes_body_check/)
      await change(`body = 'No answer', kind = 'note'`)
      expect(await refusalOf(change(`body = ''`))).toMatch(/^23514 .*notes_body_check/)
      await change(`body = '', kind = '${kind}'`)
      // A deleted note without a text is restored unchanged.
      await runInAcme('bo', 'delete from notes where brand_id = $1 and id = $2', id)
      await runInAcme('bo', `select restore_records($1, 'notes', array[$2::uuid])`, id)
      expect((await runInAcme('kim', 'select body from notes where brand_id = $1 and id = $2', id)).rows).toEqual([
        { body: '' },
      ])
    }
  })

  it('a note is changed by its author only, and pinned by everybody', async () => {
    const id = await writeNote('bo')
    const change = (person: Person, set: string) =>
      runInAcme(person, `update notes set ${set} where brand_id = $1 and id = $2`, id)
    for (const set of [
      `body = 'x'`,
      `kind = 'call'`,
      `occurred_at = now()`,
      'contact_id = null',
      `deal_id = '${deal}'`,
    ])
      expect(await refusalOf(change('ana', set))).toBe('42501 Only its author can change a note.')
    expect(await refusalOf(change('bo', `author_id = '${scene.ids.kim}'`))).toContain('42501 permission denied')
    await change('kim', 'pinned = true')
    await change('bo', `body = 'Was wrong'`)
    expect(await noteOf(id)).toMatchObject({ body: 'Was wrong', pinned: true, author_id: scene.ids.bo })
    expect((await scene.as('eve')(`update notes set pinned = false where id = $1`, [id])).rowCount).toBe(0)
  })

  it('a note is deleted by its author, admins and owners only', async () => {
    const ids = [await writeNote('bo'), await writeNote('bo'), await writeNote('bo')]
    const deleteNote = (person: Person, index: number) =>
      runInAcme(person, 'delete from notes where brand_id = $1 and id = $2', ids[index])
    expect(await refusalOf(deleteNote('kim', 0))).toBe('42501 Only its author and admins can delete a note.')
    expect((await scene.as('eve')('delete from notes where id = $1', [ids[0]])).rowCount).toBe(0)
    for (const [index, person] of (['bo', 'cy', 'ana'] as const).entries())
      expect((await deleteNote(person, index)).rowCount).toBe(1)
  })

  it('a restored note has its former author, even if another person undoes the delete', async () => {
    const id = await writeNote('bo', { contact_id: contact, deal_id: deal })
    const before = await noteOf(id)
    await runInAcme('cy', 'delete from notes where brand_id = $1 and id = $2', id)
    await runInAcme('cy', `select restore_records($1, 'notes', $2)`, [id])
    expect(lastingFields(await noteOf(id))).toEqual(lastingFields(before))
  })

  it('a note that a person deleted is restored only by the one who deleted it, its author, admins and owners', async () => {
    const id = await writeNote('bo')
    const refusal = '42501 Only its author and admins can restore a note.'
    const deleteAs = (person: Person) => runInAcme(person, 'delete from notes where brand_id = $1 and id = $2', id)
    const restoreAs = (person: Person) => runInAcme(person, `select restore_records($1, 'notes', $2)`, [id])
    for (const [deleter, restorer] of [
      ['bo', 'bo'],
      ['bo', 'cy'],
      ['cy', 'ana'],
      ['cy', 'bo'],
    ] as const) {
      await deleteAs(deleter)
      expect(await refusalOf(restoreAs('kim'))).toBe(refusal)
      expect(await noteOf(id)).toBeUndefined()
      await restoreAs(restorer)
      expect(await noteOf(id)).toMatchObject({ author_id: scene.ids.bo })
    }
    // A person who deleted the note as an admin may undo the delete, even if that person is now only a member.
    const setRole = (role: string) =>
      runInAcme('ana', 'update memberships set role = $3 where brand_id = $1 and user_id = $2', scene.ids.cy, role)
    await deleteAs('cy')
    await setRole('member')
    await restoreAs('cy')
    await deleteAs('bo')
    expect(await refusalOf(restoreAs('cy'))).toBe(refusal)
    await setRole('admin')
    // A note without an author, which the secret key has written and deleted.
    await scene.owner.query('update private.tombstones set deleted_by = null where row_id = $1', [id])
    await scene.owner.query(
      `update private.tombstones set row_data = row_data || '{"author_id": null}' where row_id = $1`,
      [id],
    )
    expect(await refusalOf(restoreAs('kim'))).toBe(refusal)
    await restoreAs('cy')
  })

  it('a deleted note does not come back if another member deletes and restores its record, or is restored with other notes', async () => {
    const [deletedNote, ownNote] = [await writeNote('bo'), await writeNote('kim')]
    await remove('notes', deletedNote)
    await runInAcme('kim', 'delete from notes where brand_id = $1 and id = $2', ownNote)
    await runInAcme('kim', 'delete from contacts where brand_id = $1 and id = $2', contact)
    const restoreAsKim = (table: string, ...ids: string[]) =>
      runInAcme('kim', 'select restore_records($1, $2, $3)', table, ids)
    for (const ids of [[deletedNote], [ownNote, deletedNote]])
      expect(await refusalOf(restoreAsKim('notes', ...ids))).toMatch(/^42501/)
    await restoreAsKim('notes', ownNote)
    await restoreAsKim('contacts', contact)
    expect(await noteOf(deletedNote)).toBeUndefined()
    expect(await noteOf(ownNote)).toBeDefined()
  })

  it('a note keeps its author when this person leaves the brand', async () => {
    const id = await writeNote('kim')
    await runInAcme('kim', 'delete from memberships where brand_id = $1 and user_id = $2', scene.ids.kim)
    expect(await noteOf(id)).toMatchObject({ author_id: scene.ids.kim })
    await scene.as('ana')(`select add_brand_member_by_email($1, 'kim@example.com', 'member')`, [scene.acme])
  })
})

describe('a note without links', () => {
  it('a note that loses its last link with a deleted record is deleted with a tombstone, and restored with the record', async () => {
    const id = await writeNote('bo')
    await runInAcme('kim', 'update notes set pinned = true where brand_id = $1 and id = $2', id)
    const before = await noteOf(id)
    await remove('contacts', contact)
    expect(await noteOf(id)).toBeUndefined()
    const tombstones = await scene.owner.query(
      `select from private.tombstones where table_name = 'notes' and row_id = $1`,
      [id],
    )
    expect(tombstones.rowCount).toBe(1)
    // The note returns for any member who restores the record: kim has neither written the note nor deleted the record.
    await runInAcme('kim', `select restore_records($1, 'contacts', $2)`, [contact])
    expect(lastingFields(await noteOf(id))).toEqual(lastingFields(before))
  })

  it('a note is deleted when a person removes its last link, and is restored by the undo of this removal, not with a restored deal', async () => {
    const id = await writeNote('bo', { contact_id: contact, deal_id: deal })
    await remove('deals', deal)
    await runInAcme('bo', 'update notes set contact_id = null where brand_id = $1 and id = $2', id)
    await restore('deals', deal)
    expect(await noteOf(id)).toBeUndefined()
    await restore('notes', id)
    expect(await noteOf(id)).toMatchObject({ contact_id: contact, deal_id: deal })
  })

  it('a note that a person deleted is not restored with its record', async () => {
    const id = await writeNote('bo')
    await remove('notes', id)
    await remove('contacts', contact)
    await restore('contacts', contact)
    expect(await noteOf(id)).toBeUndefined()
  })

  it('a note whose delete is undone while its record is deleted is restored together with the record', async () => {
    const id = await writeNote('bo')
    const before = await noteOf(id)
    await remove('notes', id)
    await remove('contacts', contact)
    const { rows } = await restore('notes', id)
    expect(rows[0]).toEqual({ restore_records: [] })
    await restore('contacts', contact)
    expect(lastingFields(await noteOf(id))).toEqual(lastingFields(before))
  })

  it('a note whose links are removed one by one is deleted with the last link and restored with all of them', async () => {
    const tables = ['contacts', 'companies', 'deals'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...tables], { minLength: 1 }),
        fc.shuffledSubarray([...tables], { minLength: 3 }),
        fc.shuffledSubarray([...tables], { minLength: 3 }),
        async (linked, deleted, restored) => {
          const ids = { contacts: contact, companies: company, deals: deal }
          const columns = { contacts: 'contact_id', companies: 'company_id', deals: 'deal_id' }
          const id = await writeNote('bo', Object.fromEntries(linked.map((table) => [columns[table], ids[table]])))
          const before = await noteOf(id)
          const remainingLinks = new Set<string>(linked)
          const links = async () => {
            const note = await noteOf(id)
            return note && tables.filter((table) => note[columns[table]] !== null)
          }
          for (const table of deleted) {
            await remove(table, ids[table])
            remainingLinks.delete(table)
            expect(await links()).toEqual(
              remainingLinks.size === 0 ? undefined : tables.filter((one) => remainingLinks.has(one)),
            )
          }
          for (const table of restored) {
            await restore(table, ids[table])
            if (linked.includes(table)) remainingLinks.add(table)
            expect(await links()).toEqual(
              remainingLinks.size === 0 ? undefined : tables.filter((one) => remainingLinks.has(one)),
            )
          }
          expect(lastingFields(await noteOf(id))).toEqual(lastingFields(before))
        },
      ),
      { numRuns: 25 },
    )
  })
})
