import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const sendLimitsFile = `${authFolder}/send-limits.ts`
const mailLimitsFile = `${authFolder}/mail-limits.ts`
const factorLimitsFile = `${authFolder}/factors/factor-limits.ts`
const rateLimitsTest = 'tests/api/auth-rate-limits.test.ts'
const mailDeliveryTest = 'tests/api/mail-delivery.test.ts'
const factorLimitsTest = 'tests/api/auth-factor-limits.test.ts'

/** Breaks of the limits on mails and text messages that a stranger can request. */
export const breaksOfMessages: readonly SecurityBreak[] = [
  {
    attack: 'mails to one address each second',
    file: mailLimitsFile,
    from: 'const mailIntervalSeconds = 60',
    to: 'const mailIntervalSeconds = 0',
    test: mailDeliveryTest,
    title:
      'limits on mail allow one mail a minute and five in a quarter of an hour to one address, known or not; the reported wait is not longer',
  },
  {
    attack: 'an unlimited number of mails to one address',
    file: mailLimitsFile,
    from: 'const mailsPerQuarterHour = 5',
    to: 'const mailsPerQuarterHour = 1000',
    test: mailDeliveryTest,
    title:
      'limits on mail allow one mail a minute and five in a quarter of an hour to one address, known or not; the reported wait is not longer',
  },
  {
    attack: 'an unlimited number of mails in total',
    file: sendLimitsFile,
    from: 'perHour === 0 ? Infinity : perHour / 4',
    to: 'Infinity',
    test: mailDeliveryTest,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'one network takes all mail of an hour',
    file: sendLimitsFile,
    from: ' or (of_all >= $7::numeric / 2 and from_sender > 0)',
    to: '',
    test: mailDeliveryTest,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'a new address of the same /64 has the other half of the mail',
    file: mailLimitsFile,
    from: 'counterKeyOf(`from ${networkOf(ip)}`)',
    to: 'counterKeyOf(`from ${ip}`)',
    test: mailDeliveryTest,
    title: 'the limit on all mail, 24 an hour, allows six in a quarter of an hour; one network can use half of them',
  },
  {
    attack: 'a request for a link does not count as an attempt of the network',
    file: `${authFolder}/recover.ts`,
    from: '  await limits.countAttempt(db, request.ip)\n',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits count each kind of request that sends mail',
  },
  {
    attack: 'a repeated request for a link does not count as an attempt of the network',
    file: `${authFolder}/resend.ts`,
    from: '  await limits.countAttempt(db, request.ip)\n',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits count each kind of request that sends mail',
  },
  {
    attack: 'an unlimited number of text messages to many phones',
    file: factorLimitsFile,
    from: 'perHour: messagesPerHour',
    to: 'perHour: 0',
    test: factorLimitsTest,
    title:
      'a limit of 24 text messages an hour allows six in a quarter of an hour; half of them are reserved for networks that have requested none',
  },
  {
    attack: 'one network takes all text messages',
    file: factorLimitsFile,
    from: "counterKeyOf('message from', networkOf(ip))",
    to: "counterKeyOf('message from', userId)",
    test: factorLimitsTest,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'a new address of the same /64 has the other half of the text messages',
    file: factorLimitsFile,
    from: "counterKeyOf('message from', networkOf(ip))",
    to: "counterKeyOf('message from', ip)",
    test: factorLimitsTest,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'one user takes all text messages from many networks',
    file: factorLimitsFile,
    from: "counterKeyOf('message for', userId)",
    to: "counterKeyOf('message for', ip)",
    test: factorLimitsTest,
    title: 'half of them are reserved for networks that have requested none',
  },
  {
    attack: 'text messages to another person’s phone from many users',
    file: factorLimitsFile,
    from: '(await countInQuarterHour(db, phoneKey)) > messagesPerQuarterHour',
    to: '(await countInQuarterHour(db, phoneKey)) < 0',
    test: factorLimitsTest,
    title:
      'a phone that nobody has verified gets at most five text messages in a quarter of an hour, whoever requests them',
  },
  {
    attack: 'text messages for one user each second',
    file: factorLimitsFile,
    from: 'const messageIntervalSeconds = 30',
    to: 'const messageIntervalSeconds = 0',
    test: factorLimitsTest,
    title:
      'limits on second factors allow a verified phone another code after half a minute, and five in a quarter of an hour',
  },
  {
    attack: 'an unlimited number of text messages for one user',
    file: factorLimitsFile,
    from: 'perQuarterHour: messagesPerQuarterHour',
    to: 'perQuarterHour: 1000',
    test: factorLimitsTest,
    title:
      'limits on second factors allow a verified phone another code after half a minute, and five in a quarter of an hour',
  },
]
