import type { ReactNode } from 'react'

/** An address that goes on to a second line, where it must, before its @. */
export function emailText(address: string): ReactNode {
  const at = address.lastIndexOf('@')
  if (at <= 0) return address
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
