import type { ReactNode } from 'react'

/** Renders an email address so that the line can break before its @. */
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
