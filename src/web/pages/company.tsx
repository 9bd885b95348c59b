import { useParams } from '@tanstack/react-router'
import { RecordPanel } from '#web/crm/record-panel.tsx'
import { useContactsOfCompany, useDealsOfCompany } from '#web/data/related-records.ts'
import { CompanyDetails } from '#web/features/companies/company-details.tsx'
import { RelatedContacts } from '#web/features/contacts/related-contacts.tsx'
import { RelatedDeals } from '#web/features/deals/related-deals.tsx'

/** /crm/companies/ID: a company in the panel, with its contacts and deals. */
export function CompanyPage() {
  const { id } = useParams({ from: '/crm/companies/$id' })
  const contacts = useContactsOfCompany(id)
  const deals = useDealsOfCompany(id)
  return (
    <RecordPanel table="companies" id={id}>
      {(company) => (
        <>
          <CompanyDetails key={id} company={company} />
          <RelatedContacts list={contacts} />
          {contacts.ready && <RelatedDeals list={deals} />}
        </>
      )}
    </RecordPanel>
  )
}
