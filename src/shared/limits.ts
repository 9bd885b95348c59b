/** Written by `npm run generate` from supabase/migrations: the maximum number of characters (Unicode code points) of texts in tables to which signed-in users may write. Do not edit. */
export const limits = {
  brands: { name: 200 },
  companies: { name: 200, domain: 253, phone: 50, website: 2000, notes: 10000 },
  contacts: { first_name: 200, last_name: 200, email: 320, phone: 50, title: 200 },
  custom_fields: { key: 60, label: 80 },
  deal_stages: { name: 200 },
  deals: { name: 200, lost_reason: 200 },
  memberships: { display_name: 200 },
  notes: { body: 10000 },
  notifications: { title: 500, detail: 500 },
  pipelines: { name: 200 },
  tags: { name: 50 },
  tasks: { title: 200, repeats: 80 },
} as const
