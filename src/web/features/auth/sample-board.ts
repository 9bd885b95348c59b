export interface SampleDeal {
  name: string
  amount: string
  company: string
  contact: string
  close: string
}

/** Invented people and companies for the picture beside the sign-in form. */
export const sampleStages: readonly { name: string; count: number; total: string; deals: readonly SampleDeal[] }[] = [
  {
    name: 'Qualified',
    count: 8,
    total: '£111,050 + ¥1,850,000',
    deals: [
      deal('Pilot programme', '£7,000', 'Kestrel Logistics', 'Jonas Lindqvist', '28 Nov'),
      deal('Onboarding package', '£20,700', 'Ashgrove Capital Partners LLP', 'Clara Dubois', '20 Dec'),
      deal('Cold-store monitoring', '£22,550', 'Marlowe Foods', 'Sofia Rossi', '8 Dec'),
      deal('Data migration', '£28,350', 'Tidewater Group', 'Daniel Cohen', '7 Dec'),
      deal('Osaka distribution agreement', '¥1,850,000', 'Hoshino Trading KK', 'Kenji Watanabe', '29 Jan'),
    ],
  },
  {
    name: 'Proposal',
    count: 7,
    total: '£151,050 + €38,000',
    deals: [
      deal('Analytics add-on', '£11,800', 'Copperline', 'Mei Tanaka', '26 Nov'),
      deal('Ward equipment framework', '£44,950', 'Linden Health NHS Trust', 'Margaret Featherstonehaugh', '2 Dec'),
      deal('Booking system', '£23,500', 'Copperline', 'Owen Davies', '8 Dec'),
      deal('Annual licence, 240 seats', '£7,500', 'Juniper Studios', 'Sofia Rossi', '4 Dec'),
      deal('Rotterdam quay sensors', '€38,000', 'Maashaven Terminals BV', 'Pieter van der Heijden', '11 Dec'),
    ],
  },
  {
    name: 'Won',
    count: 5,
    total: '£87,950 + €9,600',
    deals: [
      deal('Acme renewal', '£18,400', 'Acme Fixings', 'Hannah Llewellyn', '3 Nov'),
      deal('Depot lighting', '£32,000', 'Tidewater Group', 'Freya Hansen', '9 Nov'),
      deal('Loyalty programme', '£26,750', 'Orchard & Vale', 'Beatrix Nwosu', '12 Nov'),
      deal('Bremen trial extension', '€9,600', 'Nordhafen GmbH', 'Anke Petersen', '18 Nov'),
    ],
  },
]

function deal(name: string, amount: string, company: string, contact: string, close: string): SampleDeal {
  return { name, amount, company, contact, close }
}
