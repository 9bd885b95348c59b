import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const upsert = async (
  email: string | null,
  first?: string | null,
  last?: string | null,
  company?: string | null,
  id?: string,
) =>
  (
    await scene.as('bo')<{ id: string }>('select upsert_contact($1, $2, $3, $4, $5, $6) as id', [
      scene.acme,
      email,
      first,
      last,
      company,
      id,
    ])
  ).rows[0]?.id
const readContact = async (id: string | undefined) =>
  (
    await scene.as('bo')(
      `select c.email, c.first_name, c.last_name, o.name as company, c.version
       from contacts c left join companies o on o.brand_id = c.brand_id and o.id = c.company_id where c.id = $1`,
      [id],
    )
  ).rows[0]

describe('upsert_contact', () => {
  it('upsert_contact adds a contact with the id that the client made', async () => {
    const id = randomUUID()
    expect(await upsert(' Zoe@Example.com\t', ' Zoë ', ' ', 'Big Co ', id)).toBe(id)
    expect(await readContact(id)).toEqual({
      email: 'Zoe@Example.com',
      first_name: 'Zoë',
      last_name: null,
      company: 'Big Co',
      version: 1,
    })
  })

  it('upsert_contact updates the contact with that e-mail address, ignoring case; the stored spelling stays, and null keeps a value', async () => {
    const id = await upsert('zoe@EXAMPLE.com', null, 'Last', 'BIG CO', randomUUID())
    expect(await readContact(id)).toEqual({
      email: 'Zoe@Example.com',
      first_name: 'Zoë',
      last_name: 'Last',
      company: 'Big Co',
      version: 2,
    })
  })

  it('upsert_contact writes nothing if nothing changes', async () => {
    const id = await upsert('zoe@example.com', 'Zoë', '', 'big co')
    expect((await readContact(id))?.version).toBe(2)
  })

  it.each([null, '', '  ', 'a@', '@b', 'no at', 'two@at@once', `${'x'.repeat(320)}@y.z`])(
    'upsert_contact refuses the e-mail address %j',
    async (email) => {
      expect(await refusalOf(upsert(email))).toMatch(
        /^22023 (Email is required|An email has 3 to 320 characters and one @ inside)$/,
      )
    },
  )

  it('upsert_contact links the oldest of two companies with the given name', async () => {
    await scene.as('bo')(`insert into companies (brand_id, name, domain) values ($1, 'Twin', 'first')`, [scene.acme])
    await scene.as('bo')(`insert into companies (brand_id, name, domain) values ($1, 'TWIN', 'second')`, [scene.acme])
    const id = await upsert('twin@x.y', null, null, 'twin')
    const { rows } = await scene.as('bo')(
      'select o.domain from companies o join contacts c on c.company_id = o.id where c.id = $1',
      [id],
    )
    expect(rows).toEqual([{ domain: 'first' }])
  })

  it('upsert_contact creates one contact and one company from 40 calls at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        upsert(n % 2 ? 'RACE@x.y' : 'race@X.y', `N${n}`, null, n % 3 ? 'Race Co' : 'RACE CO'),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    expect((await scene.as('bo')(`select from companies where lower(name) = 'race co'`)).rowCount).toBe(1)
    expect((await scene.as('bo')(`select from contacts where email_norm = 'race@x.y'`)).rowCount).toBe(1)
  })

  it('upsert_contact does not fail while the same contact is deleted, and never creates it twice', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 ? upsert('come@go.x', `N${n}`) : scene.as('cy')(`delete from contacts where email_norm = 'come@go.x'`),
      ),
    )
    expect((await scene.as('bo')(`select from contacts where email_norm = 'come@go.x'`)).rowCount).toBeLessThanOrEqual(
      1,
    )
  })
})

describe('add_contact_by_phone', () => {
  const addByPhone = async (phone: string | null, ...more: (string | null)[]) =>
    (
      await scene.as('bo')<{ id: string }>('select add_contact_by_phone($1, $2, $3, $4, $5, $6, $7) as id', [
        scene.acme,
        phone,
        ...Array.from({ length: 5 }, (_, index) => more[index] ?? null),
      ])
    ).rows[0]?.id

  it('add_contact_by_phone adds a contact without an e-mail address, owned by the caller, with the id that the client made', async () => {
    const id = randomUUID()
    expect(await addByPhone(' +49 30 1234 ', ' Uta ', '', ' Buyer ', 'Ring Co', id)).toBe(id)
    expect(await readContact(id)).toMatchObject({ email: null, first_name: 'Uta', last_name: null, company: 'Ring Co' })
    expect(
      (await scene.as('bo')('select phone, title, owner_id = created_by as mine from contacts where id = $1', [id]))
        .rows,
    ).toEqual([{ phone: '+49 30 1234', title: 'Buyer', mine: true }])
  })

  it('add_contact_by_phone never merges contacts, because two may have the same number, or the same name', async () => {
    const ids = [await addByPhone('0100', 'Ed'), await addByPhone('0100', 'Ed')]
    expect(new Set(ids).size).toBe(2)
    // A later upsert with the same name does not find these contacts, either.
    expect(ids).not.toContain(await upsert('ed@x.y', 'Ed'))
  })

  it('add_contact_by_phone links a second contact to the existing company', async () => {
    await addByPhone('0101', 'A', null, null, 'Shared Co')
    await addByPhone('0102', 'B', null, null, 'SHARED CO')
    expect((await scene.as('bo')(`select from companies where lower(name) = 'shared co'`)).rowCount).toBe(1)
  })

  it.each([null, '', ' \t '])(
    "add_contact_by_phone refuses the phone number %j: 'Email is required'",
    async (phone) => {
      expect(await refusalOf(addByPhone(phone, 'Uta'))).toBe('22023 Email is required')
    },
  )

  it('add_contact_by_phone refuses texts that are too long, with a message that says which one', async () => {
    expect(await refusalOf(addByPhone('1'.repeat(51)))).toBe('22023 The phone number is longer than 50 characters')
    expect(await refusalOf(addByPhone('1', 'x'.repeat(201)))).toBe('22023 The first name is longer than 200 characters')
    expect(await refusalOf(addByPhone('1', null, null, 'x'.repeat(201)))).toBe(
      '22023 The title is longer than 200 characters',
    )
  })
})

describe('an inserted contact', () => {
  it('an inserted contact has trimmed texts, null for empty texts, and a unique, valid e-mail address', async () => {
    const insert = (email: string) =>
      scene.as('bo')(
        `insert into contacts (brand_id, email, first_name, phone) values ($1, $2, '  ', ' 1 ') returning email, first_name, phone`,
        [scene.acme, email],
      )
    expect((await insert(' row@x.y\u00A0')).rows).toEqual([{ email: 'row@x.y', first_name: null, phone: '1' }])
    expect(await refusalOf(insert('ROW@x.y'))).toMatch(/^23505 .*contacts_email_key/)
    expect(await refusalOf(insert('nonsense'))).toMatch(/^23514/)
  })

  it('an inserted contact may have no e-mail address', async () => {
    await scene.as('bo')(`insert into contacts (brand_id, first_name) values ($1, 'A'), ($1, 'B')`, [scene.acme])
  })
})
