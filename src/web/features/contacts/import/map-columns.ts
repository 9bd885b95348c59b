/** The columns of the template, in its order. */
export const columnNames = ['email', 'first_name', 'last_name', 'company'] as const
export type ColumnName = (typeof columnNames)[number]

/** The index of each of our columns in the file; -1 if it is missing. */
export type ColumnMap = Record<ColumnName, number>

/** Names of our columns in the exports of other programs, after `normalise`; the best name first. */
const aliases: Record<ColumnName, readonly string[]> = {
  email: [
    'email',
    'emailaddress',
    'mail',
    'mailaddress',
    'email1value',
    'email1',
    'primaryemail',
    'workemail',
    'contactemail',
    'emailwork',
  ],
  first_name: ['firstname', 'givenname', 'forename', 'first', 'fname', 'contactfirstname'],
  last_name: ['lastname', 'familyname', 'surname', 'last', 'lname', 'contactlastname'],
  company: [
    'company',
    'companyname',
    'organization',
    'organisation',
    'organizationname',
    'organisationname',
    'organization1name',
    'account',
    'accountname',
    'employer',
    'org',
    'business',
    'businessname',
  ],
}

/** Finds our columns by name, in any case and order, with blanks, dots, hyphens or underscores; of two equal names the first. */
export function mapColumns(header: readonly string[]): ColumnMap {
  const names = new Map<string, number>()
  for (const [index, name] of header.entries()) {
    const key = normalise(name)
    if (!names.has(key)) names.set(key, index)
  }
  const place = (name: ColumnName) => {
    const alias = aliases[name].find((each) => names.has(each))
    return alias === undefined ? -1 : (names.get(alias) ?? -1)
  }
  return {
    email: place('email'),
    first_name: place('first_name'),
    last_name: place('last_name'),
    company: place('company'),
  }
}

/** How many of our columns the map has. */
export function knownColumns(map: ColumnMap): number {
  return columnNames.filter((name) => map[name] >= 0).length
}

function normalise(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
