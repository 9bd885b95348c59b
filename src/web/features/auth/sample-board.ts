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
      sampleDeal('Pilot programme', '£7,000', 'Kestrel Logistics', 'Jonas Lindqvist', '28 Nov'),
      sampleDeal('Onboarding package', '£20,700', 'Ashgrove Capital Partners LLP', 'Clara Dubois', '20 Dec'),
      sampleDeal('Cold-store monitoring', '£22,550', 'Marlowe Foods', 'Sofia Rossi', '8 Dec'),
      sampleDeal('Data migration', '£28,350', 'Tidewater Group', 'Daniel Cohen', '7 Dec'),
      sampleDeal('Osaka distribution agreement', '¥1,850,000', 'Hoshino Trading KK', 'Kenji Watanabe', '29 Jan'),
    ],
  },
  {
    name: 'Proposal',
    count: 7,
    total: '£151,050 + €38,000',
    deals: [
      sampleDeal('Analytics add-on', '£11,800', 'Copperline', 'Mei Tanaka', '26 Nov'),
      sampleDeal(
        'Ward equipment framework',
        '£44,950',
        'Linden Health NHS Trust',
        'Margaret Featherstonehaugh',
        '2 Dec',
      ),
      sampleDeal('Booking system', '£23,500', 'Copperline', 'Owen Davies', '8 Dec'),
      sampleDeal('Annual licence, 240 seats', '£7,500', 'Juniper Studios', 'Sofia Rossi', '4 Dec'),
      sampleDeal('Rotterdam quay sensors', '€38,000', 'Maashaven Terminals BV', 'Pieter van der Heijden', '11 Dec'),
    ],
  },
  {
    name: 'Won',
    count: 5,
    total: '£87,950 + €9,600',
    deals: [
      sampleDeal('Acme renewal', '£18,400', 'Acme Fixings', 'Hannah Llewellyn', '3 Nov'),
      sampleDeal('Depot lighting', '£32,000', 'Tidewater Group', 'Freya Hansen', '9 Nov'),
      sampleDeal('Loyalty programme', '£26,750', 'Orchard & Vale', 'Beatrix Nwosu', '12 Nov'),
      sampleDeal('Bremen trial extension', '€9,600', 'Nordhafen GmbH', 'Anke Petersen', '18 Nov'),
    ],
  },
]

function sampleDeal(name: string, amount: string, company: string, contact: string, close: string): SampleDeal {
  return { name, amount, company, contact, close }
}
