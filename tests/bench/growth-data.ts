import type { Pool } from 'pg'

/** A brand of the measurement, with the ids that its queries use. */
export interface GrowthBrand {
  id: string
  contacts: number
  stages: readonly string[]
  openStages: readonly string[]
  /** Owns almost half of the records: every second one, without those of `rareOwner`. */
  busyOwner: string
  /** Owns one record in 500. */
  rareOwner: string
  companies: readonly string[]
  /** The tag of a third of the contacts and deals. */
  busyTag: string
  /** The tag of one in 1,000 contacts and deals. */
  rareTag: string
  /** The ids of two custom fields with options: four in ten contacts and deals have 'web', one in ten 'fair'. */
  source: { contacts: string; deals: string }
}

const busyOwner = '00000000-0000-4000-8000-00000000000a'
const rareOwner = '00000000-0000-4000-8000-00000000000b'

/**
 * Adds a brand by SQL without triggers: a company per 20 contacts, a deal and a task per 10. Some names are frequent and some rare, as in real
 * data (one in 5,000 contacts has a 'q'). The ids of owners belong to no user. Afterwards the caller must count the figures
 * (private.count_all_figures).
 */
export async function addGrowthBrand(owner: Pool, contacts: number): Promise<GrowthBrand> {
  const id = crypto.randomUUID()
  const client = await owner.connect()
  try {
    await client.query(`begin; set local session_replication_role = replica; set local maintenance_work_mem = '512MB'`)
    for (const text of insertStatements)
      await client.query(text.replaceAll('$brand', `'${id}'::uuid`).replaceAll('$n', String(contacts)))
    await client.query('commit')
  } finally {
    client.release()
  }
  return readGrowthBrand(owner, id, contacts)
}

/** Adds small brands, so that the tables contain more than the measured brand. */
export async function addSmallBrands(owner: Pool, brands: number, contacts: number): Promise<void> {
  for (let added = 0; added < brands; added++) await addGrowthBrand(owner, contacts)
}

async function readGrowthBrand(owner: Pool, id: string, contacts: number): Promise<GrowthBrand> {
  const { rows: stages } = await owner.query<{ id: string; kind: string }>(
    'select id, kind from public.deal_stages where brand_id = $1 order by position',
    [id],
  )
  const { rows: companies } = await owner.query<{ id: string }>(
    'select id from public.companies where brand_id = $1 order by created_at desc, id limit 24',
    [id],
  )
  const { rows: namedRows } = await owner.query<{ id: string; name: string }>(
    `select id, name from public.tags where brand_id = $1 union all select id, "table" from public.custom_fields where brand_id = $1`,
    [id],
  )
  const idOf = (name: string) => namedRows.find((row) => row.name === name)?.id ?? ''
  return {
    id,
    contacts,
    stages: stages.map((stage) => stage.id),
    openStages: stages.filter(({ kind }) => kind === 'open').map((stage) => stage.id),
    busyOwner,
    rareOwner,
    companies: companies.map((company) => company.id),
    busyTag: idOf('busy'),
    rareTag: idOf('rare'),
    source: { contacts: idOf('contacts'), deals: idOf('deals') },
  }
}

const firstNameSql = `(array['Anna','Thomas','Maria','Peter','Lena','Jan','Olivia','Noah','Emma','Paul','Sofia','Max','Mia','Ben','Clara','Felix','Ida','Karl','Nora','Otto'])[1 + floor(20 * power(random(), 2))::int]`
const lastNameSql = `(array['Sch','Mey','Hof','Ber','Kra','Lin','Wal','Nor','Fis','Gro','Rei','Stei','Bau','Vog','Zim','Hart','Kel','Mor','Pol','Tan'])[1 + floor(20 * power(random(), 2))::int]
  || (array['midt','er','mann','ger','se','den','ter','dal','cher','hofer','nert','ner','wald','ler','lich','wig','stad','ley','lin','aka'])[1 + floor(20 * random())::int]
  || (array['','','','s','sen','son','berg','feld'])[1 + floor(8 * random())::int]`
const ownerSql = `case when n % 500 = 0 then '${rareOwner}'::uuid when n % 2 = 0 then '${busyOwner}'::uuid end`
const tagsSql = `array_remove(array[case when n % 3 = 0 then md5($brand || 'busy')::uuid end, case when n % 1000 = 1 then md5($brand || 'rare')::uuid end], null)`
const customFieldsSql = (table: string) =>
  `case when n % 2 = 0 then jsonb_build_object(md5($brand || '${table}')::uuid, case when n % 10 = 0 then 'fair' else 'web' end) else '{}' end`
/** SQL for the time of row n: the rows are spread evenly over two years. */
const createdAtSql = (rows: string) => `now() - interval '2 years' * (1 - n / (${rows})::float8)`

/** Writes 'c.n' for 'n', because the insert of contacts joins two tables that have a column `n`. */
const withContactAlias = (text: string) => text.replaceAll('n %', 'c.n %')

const insertStatements = [
  `insert into public.brands (id, name, slug, rev) values ($brand, 'Growth $n', 'growth-' || $brand, 1)`,
  `with pipeline as (insert into public.pipelines (brand_id, name, position, rev) values ($brand, 'Sales', 1, 1) returning id)
   insert into public.deal_stages (brand_id, id, name, position, kind, rev, pipeline_id)
   select $brand, gen_random_uuid(), s.name, s.place, s.kind, 1, (select id from pipeline)
   from (values ('Incoming', 1, 'open'), ('Qualified', 2, 'open'), ('Proposal', 3, 'open'), ('Verbal', 4, 'open'), ('Won', 5, 'won'), ('Lost', 6, 'lost')) s (name, place, kind)`,
  `insert into public.tags (brand_id, id, name, color, rev)
   select $brand, md5($brand || name)::uuid, name, 'blue', 1 from unnest(array['busy', 'rare']) name`,
  `insert into public.custom_fields (brand_id, id, "table", key, label, type, options, position, rev)
   select $brand, md5($brand || t)::uuid, t, 'source', 'Source', 'choice', '[{"id": "web", "label": "Web"}, {"id": "fair", "label": "Fair"}]', 1, 1
   from unnest(array['contacts', 'deals']) t`,
  `create temp table company on commit drop as
   select n, gen_random_uuid() as id from generate_series(1, greatest(1, $n / 20)) n`,
  `insert into public.companies (brand_id, id, name, domain, website, owner_id, rev, created_at)
   select $brand, id, ${lastNameSql} || ' ' || (array['GmbH','Ltd','AG','& Co','Logistics','Partners'])[1 + n % 6] || ' ' || n, 'c' || n || '.example', 'https://c' || n || '.example',
     ${ownerSql}, 1 + n / 500, ${createdAtSql('greatest(1, $n / 20)')} from company`,
  `insert into public.contacts (brand_id, first_name, last_name, email, email_norm, phone, title, company_id, owner_id, tag_ids, custom, rev, created_at)
   select $brand, ${firstNameSql}, case when c.n % 5000 = 7 then 'Quast' else ${lastNameSql} end, 'p' || c.n || '@mail.example', 'p' || c.n || '@mail.example', '+44 20 7946 ' || lpad((c.n % 10000)::text, 4, '0'),
     (array['Buyer','Director','Engineer','Assistant'])[1 + c.n % 4], o.id, ${withContactAlias(ownerSql)}, ${withContactAlias(tagsSql)}, ${withContactAlias(customFieldsSql('contacts'))}, 1 + c.n / 500, ${createdAtSql('$n').replaceAll('n /', 'c.n /')}
   from generate_series(1, $n) c (n) left join company o on o.n = 1 + c.n % greatest(1, $n / 20) and c.n % 10 > 0`,
  `insert into public.deals (brand_id, name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id, owner_id, tag_ids, custom, rev, created_at)
   select $brand, (array['Renewal','Order','Pilot','Project'])[1 + n % 4] || ' ' || n, (n % 500) * 100, case n % 10 when 0 then 'EUR' when 1 then 'JPY' else 'GBP' end,
     s.id, current_date + (n % 400)::int - 200, c.id, c.company_id, ${ownerSql}, ${tagsSql}, ${customFieldsSql('deals')}, 1 + n / 500, ${createdAtSql('greatest(1, $n / 10)')}
   from (select row_number() over () as n, id, company_id from public.contacts where brand_id = $brand limit greatest(1, $n / 10)) c
   join (select id, position from public.deal_stages where brand_id = $brand) s on s.position = 1 + (hashint8(c.n) & 1048575) % 6`,
  `insert into public.tasks (brand_id, title, due_at, status, completed_at, deal_id, assignee_id, rev, created_at)
   select $brand, 'Call ' || n, now() + interval '1 hour' * (n % 2000 - 300), case when n % 3 = 0 then 'open' else 'done' end,
     case when n % 3 > 0 then now() - interval '1 hour' * n end, d.id, ${ownerSql}, 1 + n / 500, ${createdAtSql('greatest(1, $n / 10)')}
   from (select row_number() over () as n, id from public.deals where brand_id = $brand) d`,
  // Without statistics of the brand, a nested loop would read all companies for each contact.
  'set local enable_nestloop = off',
  `insert into private.contacts_words select c.brand_id, c.id, lower(concat_ws(' ', c.first_name, c.last_name, c.email, c.title, translate(c.phone, ' +', ''), o.name)),
     c.created_at, c.first_name, c.last_name
   from public.contacts c left join public.companies o on o.brand_id = c.brand_id and o.id = c.company_id where c.brand_id = $brand order by c.created_at`,
  `insert into private.companies_words select o.brand_id, o.id, lower(concat_ws(' ', o.name, o.domain, o.website)), o.created_at, o.name
   from public.companies o where o.brand_id = $brand order by o.created_at`,
  `insert into private.deals_words select d.brand_id, d.id, lower(concat_ws(' ', d.name, concat_ws(' ', c.first_name, c.last_name), o.name)), d.created_at, d.name
   from public.deals d left join public.contacts c on c.brand_id = d.brand_id and c.id = d.contact_id
   left join public.companies o on o.brand_id = d.brand_id and o.id = d.company_id where d.brand_id = $brand order by d.created_at`,
  `insert into private.tasks_words select t.brand_id, t.id, lower(t.title), t.created_at from public.tasks t where t.brand_id = $brand order by t.created_at`,
]
