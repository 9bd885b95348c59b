import { expect, it } from 'vitest'
import { encrypt } from './encrypt.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

it('the example of RFC 8291, appendix A, is encrypted as in the RFC; random values differ each time; a wrong key is refused', () => {
  const keys = {
    p256dh: decode('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: decode('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const random = {
    salt: decode('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: decode('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const body = encrypt(Buffer.from('When I grow up, I want to be a watermelon'), keys, random)
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(encrypt(Buffer.from('x'), keys)).not.toEqual(encrypt(Buffer.from('x'), keys))
  expect(() => encrypt(Buffer.from('x'), { ...keys, p256dh: Buffer.alloc(65, 4) })).toThrow()
})
