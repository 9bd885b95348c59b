import type { SecurityBreak } from './break.ts'

const auth = 'src/server/auth'
const sendings = `${auth}/send-limits.ts`
const mails = `${auth}/mail-limits.ts`
const factors = `${auth}/factors/factor-limits.ts`
const attempts = 'tests/api/auth-rate-limits.test.ts'
const delivery = 'tests/api/mail-delivery.test.ts'
const second = 'tests/api/auth-factor-limits.test.ts'

/** Breaks of the limits on mails and text messages that a stranger can request. */
export const breaksOfMessages: readonly SecurityBreak[] = [
  {
    attack: 'mails to one address each second',
    file: mails,
    from: 'const mailIntervalSeconds = 60',
    to: 'const mailIntervalSeconds = 0',
    test: delivery,
    title:
      'limits on mail allow one mail a minute and five in a quarter of an hour to one address, known or not; the reported wait is not longer',
  },
  {
    attack: 'an unlimited number of mails to one address',
    file: mails,
    from: 'const mailsPerQuarterHour = 5',
    to: 'const mailsPerQuarterHour = 1000',
    test: delivery,
    title:
      'limits on mail allow one mail a minute and five in a quarter of an hour to one address, known or not; the reported wait is not longer',
  },
  {
    attack: 'an unlimited number of mails in total',
    file: sendings,
    from: 'perHour === 0 ? Infinity : perHour / 4',
    to: 'Infinity',
    test: delivery,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'one network takes all mail of an hour',
    file: sendings,
    from: ' or (of_all >= $7::numeric / 2 and from_sender > 0)',
    to: '',
    test: delivery,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'a new address of the same /64 has the other half of the mail',
    file: mails,
    from: 'counterKeyOf(`from ${networkOf(ip)}`)',
    to: 'counterKeyOf(`from ${ip}`)',
    test: delivery,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'a request for a link does not count as an attempt of the network',
    file: `${auth}/recover.ts`,
    from: '  await limits.countAttempt(db, request.ip)\n',
    to: '',
    test: attempts,
    title: 'rate limits count each kind of request that sends mail',
  },
  {
    attack: 'a repeated request for a link does not count as an attempt of the network',
    file: `${auth}/resend.ts`,
    from: '  await limits.countAttempt(db, request.ip)\n',
    to: '',
    test: attempts,
    title: 'rate limits count each kind of request that sends mail',
  },
  {
    attack: 'an unlimited number of text messages to many phones',
    file: factors,
    from: 'perHour: messagesPerHour',
    to: 'perHour: 0',
    test: second,
    title:
      'a limit of 24 text messages an hour allows six in a quarter of an hour; half of them are reserved for networks that have requested none',
  },
  {
    attack: 'one network takes all text messages',
    file: factors,
    from: "counterKeyOf('message from', networkOf(ip))",
    to: "counterKeyOf('message from', userId)",
    test: second,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'a new address of the same /64 has the other half of the text messages',
    file: factors,
    from: "counterKeyOf('message from', networkOf(ip))",
    to: "counterKeyOf('message from', ip)",
    test: second,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'one user takes all text messages from many networks',
    file: factors,
    from: "counterKeyOf('message for', userId)",
    to: "counterKeyOf('message for', ip)",
    test: second,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'text messages to another person’s phone from many users',
    file: factors,
    from: '(await countInQuarterHour(db, phoneKey)) > messagesPerQuarterHour',
    to: '(await countInQuarterHour(db, phoneKey)) < 0',
    test: second,
    title:
      'a phone that nobody has verified gets at most five text messages in a quarter of an hour, whoever requests them',
  },
  {
    attack: 'text messages for one user each second',
    file: factors,
    from: 'const messageIntervalSeconds = 30',
    to: 'const messageIntervalSeconds = 0',
    test: second,
    title:
      'limits on second factors allow a verified phone another code after half a minute, and five in a quarter of an hour',
  },
  {
    attack: 'an unlimited number of text messages for one user',
    file: factors,
    from: 'perQuarterHour: messagesPerQuarterHour',
    to: 'perQuarterHour: 1000',
    test: second,
    title:
      'limits on second factors allow a verified phone another code after half a minute, and five in a quarter of an hour',
  },
]
