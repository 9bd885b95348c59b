import type pg from 'pg'

/**
 * Fills a brand by SQL, as the owner role, with these numbers of rows: deals 'Deal n' in all stages and three currencies with
 * contacts and companies, contacts 'Person n', companies 'Company n', tasks 'Task n'.
 */
export async function fillLargeBrand(
  owner: pg.Pool,
  brandId: string,
  { deals, contacts, companies, tasks = 0 }: { deals: number; contacts: number; companies: number; tasks?: number },
): Promise<void> {
  await owner.query(
    `insert into public.companies (brand_id, name, domain)
     select $1, 'Company ' || n, 'company' || n || '.example' from generate_series(1, $2::int) n`,
    [brandId, companies],
  )
  await owner.query(
    `with company as (select id, row_number() over () as place from public.companies where brand_id = $1)
     insert into public.contacts (brand_id, first_name, last_name, email, phone, title, company_id)
     select $1, 'Person', n::text, 'person' || n || '@company.example', '+44 20 7946 0' || lpad((n % 1000)::text, 3, '0'), 'Buyer', c.id
     from generate_series(1, $2::int) n left join company c on c.place = n % $3::int + 1`,
    [brandId, contacts, companies],
  )
  await owner.query(
    `with stage as (select id, row_number() over (order by position) as place, count(*) over () as all_stages from public.deal_stages where brand_id = $1),
       person as (select id, company_id, row_number() over () as place from public.contacts where brand_id = $1 limit 1000)
     insert into public.deals (brand_id, name, amount, amount_currency, stage_id, expected_close_date, contact_id, company_id)
     select $1, 'Deal ' || n, (n % 500) * 100, case n % 10 when 0 then 'EUR' when 1 then 'JPY' else 'GBP' end, s.id,
       current_date + (n % 90)::int, p.id, p.company_id
     from generate_series(1, $2::int) n
     join stage s on s.place = n % s.all_stages + 1
     left join person p on p.place = n % 1000 + 1`,
    [brandId, deals],
  )
  await owner.query(
    `insert into public.tasks (brand_id, title, due_at)
     select $1, 'Task ' || n, now() + n * interval '1 minute' from generate_series(1, $2::int) n`,
    [brandId, tasks],
  )
  await owner.query('analyze')
}
