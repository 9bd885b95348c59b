import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const addCompany = async (name: string) => {
  const id = randomUUID()
  await scene.as('cy')('insert into companies (brand_id, id, name) values ($1, $2, $3)', [scene.acme, id, name])
  return id
}

/** Runs `write` while the delete of a company is not committed yet. Commits the delete when `write` waits for it. */
async function whileCompanyIsDeleted<T>(companyId: string, write: () => Promise<T>): Promise<T> {
  const colleague = await scene.owner.connect()
  try {
    await colleague.query('begin')
    await scene.become(colleague, 'cy')
    await colleague.query('delete from companies where brand_id = $1 and id = $2', [scene.acme, companyId])
    const written = write()
    // A refusal is handled by the caller, after the commit.
    written.catch(() => {})
    await untilLockWait(scene.owner)
    await colleague.query('commit')
    return await written
  } finally {
    colleague.release(true)
  }
}

const upsert = async (email: string, first: string, company: string) =>
  (
    await scene.as('bo')<{ id: string }>('select upsert_contact($1, $2, $3, null, $4) as id', [
      scene.acme,
      email,
      first,
      company,
    ])
  ).rows[0]?.id

/** Returns the name of the contact's company, and how many companies have this name. */
const readCompany = async (contactId: string | undefined) =>
  (
    await scene.as('bo')(
      `select o.name, (select count(*)::int from companies s where s.name = o.name) as count
       from contacts c left join companies o on o.brand_id = c.brand_id and o.id = c.company_id where c.id = $1`,
      [contactId],
    )
  ).rows[0]

describe('a contact whose company a colleague deletes at the same moment', () => {
  it('a new contact gets a company of that name', async () => {
    const companyId = await addCompany('New Co')
    const id = await whileCompanyIsDeleted(companyId, () => upsert('new@x.y', 'Uta', 'new co'))
    expect(await readCompany(id)).toEqual({ name: 'New Co', count: 1 })
  })

  it('a new contact gets the company that was created under that name meanwhile', async () => {
    const companyId = await addCompany('Twice Co')
    const id = await whileCompanyIsDeleted(companyId, async () => {
      await addCompany('Twice Co')
      return upsert('twice@x.y', 'Uta', 'Twice Co')
    })
    expect(await readCompany(id)).toEqual({ name: 'Twice Co', count: 1 })
  })

  it('a known contact that changes to this company gets a company of that name', async () => {
    const id = await upsert('known@x.y', 'Uta', 'Former Co')
    const companyId = await addCompany('Next Co')
    expect(await whileCompanyIsDeleted(companyId, () => upsert('known@x.y', 'Uta', 'Next Co'))).toBe(id)
    expect(await readCompany(id)).toEqual({ name: 'Next Co', count: 1 })
  })

  it('a known contact of this company keeps a company of that name if its own name changes', async () => {
    const companyId = await addCompany('Same Co')
    const id = await upsert('same@x.y', 'Uta', 'Same Co')
    expect(await whileCompanyIsDeleted(companyId, () => upsert('same@x.y', 'Ute', 'Same Co'))).toBe(id)
    expect(await readCompany(id)).toEqual({ name: 'Same Co', count: 1 })
  })

  it('a contact with a phone number only gets a company of that name', async () => {
    const companyId = await addCompany('Phone Co')
    const { rows } = await whileCompanyIsDeleted(companyId, () =>
      scene.as('bo')<{ id: string }>(`select add_contact_by_phone($1, '0100', null, null, null, 'Phone Co') as id`, [
        scene.acme,
      ]),
    )
    expect(await readCompany(rows[0]?.id)).toEqual({ name: 'Phone Co', count: 1 })
  })

  it.each(['bo', 'service'] as const)('%s gets a refusal for the id of the company', async (person) => {
    const companyId = await addCompany('Id Co')
    const insert = `insert into contacts (brand_id, email, company_id) values ($1, 'id@x.y', $2)`
    const write = () => scene.as(person)(insert, [scene.acme, companyId])
    expect(await refusalOf(whileCompanyIsDeleted(companyId, write))).toMatch(/^23503 /)
  })
})
