import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contactRow } from './contact-row.ts'
import { testField } from './test-field.ts'
import { columnWords, comparableHead, type FieldName, fieldNames } from './column-words.ts'
import {
  type ColumnMap,
  fieldOfColumn,
  mayImportUnseen,
  mapColumns,
  mapWithFields,
  noColumns,
  unusedHeads,
  withColumn,
} from './map-columns.ts'

/** Returns the field of each column of the header. */
const fieldsOf = (...header: string[]) => header.map((_, index) => fieldOfColumn(mapColumns(header), index))

test.each([
  ['template', 'email,first_name,last_name,company', 'email,first_name,last_name,company'],
  [
    'English',
    'Company,LAST NAME,E-mail,First_Name,Phone Number,Job Title',
    'company,last_name,email,first_name,phone,title',
  ],
  [
    'German',
    'Vorname,Nachname,E-Mail-Adresse,Telefon,Position,Firma',
    'first_name,last_name,email,phone,title,company',
  ],
  ['German', 'Vorname,Name,E-Mail,Handynummer,Funktion,Unternehmen', 'first_name,last_name,email,phone,title,company'],
  ['French', 'Prénom,Nom,Courriel,Téléphone,Fonction,Société', 'first_name,last_name,email,phone,title,company'],
  [
    'Spanish',
    'Nombre,Apellidos,Correo electrónico,Teléfono,Cargo,Empresa',
    'first_name,last_name,email,phone,title,company',
  ],
  [
    'Italian',
    'Nome,Cognome,Indirizzo e-mail,Cellulare,Ruolo,Società',
    'first_name,last_name,email,phone,title,company',
  ],
  [
    'Portuguese',
    'Nome,Sobrenome,Endereço de e-mail,Telemóvel,Função,Organização',
    'first_name,last_name,email,phone,title,company',
  ],
  [
    'Dutch',
    'Voornaam,Achternaam,E-mailadres,Telefoonnummer,Functie,Bedrijf',
    'first_name,last_name,email,phone,title,company',
  ],
  [
    'Polish',
    'Imię,Nazwisko,Adres e-mail,Numer telefonu,Stanowisko,Nazwa firmy',
    'first_name,last_name,email,phone,title,company',
  ],
  ['Swedish', 'Förnamn,Efternamn,E-post,Mobil,Befattning,Företag', 'first_name,last_name,email,phone,title,company'],
  [
    'Danish',
    'Fornavn,Efternavn,E-mailadresse,Tlf.,Stilling,Virksomhed',
    'first_name,last_name,email,phone,title,company',
  ],
  [
    'Norwegian',
    'Fornavn,Etternavn,E-postadresse,Telefon,Stilling,Bedrift',
    'first_name,last_name,email,phone,title,company',
  ],
  ['Finnish', 'Etunimi,Sukunimi,Sähköposti,Puhelin,Titteli,Yritys', 'first_name,last_name,email,phone,title,company'],
] as const)('the columns of a file in this language are mapped to fields: %s: %s', (_, header, fields) => {
  const heads = header.split(',')
  expect(fieldsOf(...heads)).toEqual(fields.split(','))
  expect(mayImportUnseen(heads, mapColumns(heads))).toBe(true)
  expect(fieldsOf(...heads.map((head) => ` ${head.toUpperCase()} `))).toEqual(fields.split(','))
})

test('a single name column is the full name; beside a first or last name column it is the other of the two', () => {
  expect(fieldsOf('Name', 'Email')).toEqual(['name', 'email'])
  expect(fieldsOf('Nom', 'Prénom', 'Email')).toEqual(['last_name', 'first_name', 'email'])
  expect(fieldsOf('Name', 'Given Name', 'Family Name', 'Email')).toEqual(['name', 'first_name', 'last_name', 'email'])
  expect(fieldsOf('Full name', 'Last name', 'Email')).toEqual(['name', 'last_name', 'email'])
})

test('numbers and brackets at the end of a head are ignored, and of two matching columns the better match wins', () => {
  expect(fieldsOf('Phone 1', 'Phone 2', 'E-Mail (work)')).toEqual(['phone', null, 'email'])
  expect(fieldsOf('Mobile', 'Phone', 'Email')).toEqual([null, 'phone', 'email'])
  const googleHeads = [
    'First Name',
    'Middle Name',
    'Last Name',
    'Organization Name',
    'E-mail 1 - Label',
    'E-mail 1 - Value',
  ]
  expect(fieldsOf(...googleHeads)).toEqual(['first_name', null, 'last_name', 'company', null, 'email'])
  expect(unusedHeads(googleHeads, mapColumns(googleHeads))).toEqual(['Middle Name', 'E-mail 1 - Label'])
})

test.each([
  ['HubSpot', 'First Name,Last Name,Email,Associated Company', 'first_name,last_name,email,company'],
  ['HubSpot', 'Associated Company,Primary Associated Company,Email', ',company,email'],
  [
    'Pipedrive',
    'Person - Name,Person - First name,Person - Last name,Person - Organization,Person - Email - Work,Person - Phone - Work',
    'name,first_name,last_name,company,email,phone',
  ],
  ['Pipedrive', 'Person - ID,Person - Name,Person - Phone - Mobile,Person - Email - Other', ',name,phone,email'],
  [
    'Pipedrive, home before work',
    'Person - Phone - Home,Person - Phone - Work,Person - Email - Home,Person - Email - Work',
    ',phone,,email',
  ],
  ['Outlook, home before work', 'Telefon (privat),Telefon geschäftlich,E-Mail-Adresse', ',phone,email'],
  ['only private values', 'Home Phone,Personal Email', 'phone,email'],
])('the columns of an export of another program are mapped to fields: %s: %s', (_, header, fields) => {
  expect(fieldsOf(...header.split(','))).toEqual(fields.split(',').map((field) => field || null))
})

test('of a work and a home column, the one with values is used; if both have values, the work column', () => {
  const header = ['Person - Phone - Home', 'Person - Phone - Work', 'Person - Email - Work']
  expect(mapColumns(header, [], [['1', '', 'a@b.example']]).phone).toBe(0)
  expect(mapColumns(header, [], [['1', '2', 'a@b.example']]).phone).toBe(1)
})

test("the first of two equal heads is used; '__proto__' and 'constructor' are ordinary heads", () => {
  expect(fieldsOf('__proto__', 'email', 'email', 'constructor')).toEqual([null, 'email', null, null])
  expect(fieldsOf('', '2', '(x)', '…')).toEqual([null, null, null, null])
})

test("a file with a custom field's column is shown to the person before it is imported", () => {
  const fields = [testField('f1', 'Budget')]
  const header = ['email', 'budget']
  expect(mayImportUnseen(header, mapColumns(header))).toBe(false)
  expect(unusedHeads(header, mapColumns(header, fields))).toEqual([])
  expect(mayImportUnseen(header, mapColumns(header, fields))).toBe(false)
})

test('mayImportUnseen returns true if every head is known and a column has email addresses or phone numbers', () => {
  for (const [header, understood] of [
    [['email'], true],
    [['Telefon', ' '], true],
    [['email', 'Region'], false],
    [['first name', 'company'], false],
  ] as const)
    expect(mayImportUnseen(header, mapColumns(header))).toBe(understood)
})

test('choosing a column for a field removes the field from its former column', () => {
  const map = mapColumns(['email', 'phone', 'x'])
  expect(withColumn(map, 2, 'email')).toEqual({ ...noColumns, email: 2, phone: 1 })
  expect(withColumn(map, 1, null)).toEqual({ ...noColumns, email: 0 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(6), fc.constantFrom<FieldName | null>(...fieldNames, null)), { maxLength: 20 }),
      (choices) => {
        const endMap = choices.reduce((present, [index, field]) => withColumn(present, index, field), noColumns)
        const used = Object.values(endMap).filter((index) => index >= 0)
        expect(new Set(used).size).toBe(used.length)
        const lastChoice = choices.at(-1)
        if (lastChoice) expect(fieldOfColumn(endMap, lastChoice[0])).toBe(lastChoice[1])
      },
    ),
  )
})

test('no column head is listed twice, and each is normalised', () => {
  const allHeads = fieldNames.flatMap((field) => columnWords[field])
  expect(allHeads.filter((word, index) => allHeads.indexOf(word) !== index)).toEqual([])
  expect(allHeads.filter((word) => comparableHead(word) !== word)).toEqual([])
})

test('the tags of a row are sent only if it has some', () => {
  const map = mapColumns(['Email', 'Schlagwörter'])
  expect(map.tags).toBe(1)
  expect(contactRow({ row: 2, fields: ['a@x.y', ' VIP; Press '] }, map)).toMatchObject({ row: { tags: 'VIP; Press' } })
  // The server derives the id of a contact without an email address from the JSON of its row, so a row without tags must have no property `tags`.
  expect(contactRow({ row: 3, fields: ['a@x.y', ' '] }, map)).not.toHaveProperty('row.tags')
})

test('custom fields are found by label, key or id, before synonyms of the standard fields', () => {
  const fields = [
    testField('a', 'Category'),
    testField('b', 'Team size'),
    testField('c', 'Über uns'),
    testField('d', 'Email'),
  ]
  const header = ['email', 'Category', 'TEAM SIZE', 'ueber-uns', 'Tags', 'E-Mail', 'Email']
  const map = mapColumns(header, fields)
  expect(header.map((_, index) => fieldOfColumn(map, index))).toEqual([
    'email',
    'custom.a',
    'custom.b',
    null,
    'tags',
    null,
    'custom.d',
  ])
  expect(unusedHeads(header, map)).toEqual(['ueber-uns', 'E-Mail'])
  const mapByKeyOrId = mapColumns(['Email', 'team_size', 'c', 'uberuns'], fields)
  expect([fieldOfColumn(mapByKeyOrId, 1), fieldOfColumn(mapByKeyOrId, 2), fieldOfColumn(mapByKeyOrId, 3)]).toEqual([
    'custom.b',
    'custom.c',
    null,
  ])
  // A person maps column 3 to a field, and column 1 to nothing.
  const chosenMap = withColumn(withColumn(map, 3, 'custom.c'), 1, null)
  expect([fieldOfColumn(chosenMap, 3), fieldOfColumn(chosenMap, 1)]).toEqual(['custom.c', null])
})

test('a new custom field is mapped to an unmapped column; the column of a retired field becomes unmapped', () => {
  const [region, size, seats] = [testField('a', 'Region'), testField('b', 'Team size'), testField('c', 'Seats')]
  const header = ['Email', 'Region', 'Team size', 'Seats', 'Phone']
  const map = withColumn(mapColumns(header, [region]), 3, 'last_name')
  const mapAfter = (now: Parameters<typeof mapWithFields>[3], from = map) => mapWithFields(from, header, [region], now)
  const targetsByColumn = (each: ColumnMap) => header.map((_, index) => fieldOfColumn(each, index))
  expect(targetsByColumn(mapAfter([region]))).toEqual(['email', 'custom.a', null, 'last_name', 'phone'])
  // A person's choice stays.
  expect(targetsByColumn(mapAfter([region, size, seats]))).toEqual([
    'email',
    'custom.a',
    'custom.b',
    'last_name',
    'phone',
  ])
  expect(targetsByColumn(mapAfter([size]))).toEqual(['email', null, 'custom.b', 'last_name', 'phone'])
  // A column that a person has left out stays left out.
  const leftOutMap = withColumn(mapAfter([region, size, seats]), 3, null)
  expect(targetsByColumn(mapAfter([region, size, seats], withColumn(leftOutMap, 2, null)))).toEqual([
    'email',
    'custom.a',
    null,
    null,
    'phone',
  ])
})
