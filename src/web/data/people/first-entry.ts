import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { observable, useObservable } from '#web/lib/observable.ts'
import { sessionState } from '#web/data/session/session.ts'
import { activeBrandState } from './active-brand.ts'
import { useMemberNames } from './member-names.ts'

const storageKey = 'first-entry'
/** Stands in the list for the brand that is opened next, while its id is not known. */
const nextBrand = 'next'

/**
 * The brands that the user has entered for the first time in this tab, and in which the user has neither given a name for colleagues nor
 * declined to give one.
 */
const enteredBrands = devicePart((device) => {
  const brands = observable<readonly string[]>(device.tabStorage?.getItem(storageKey)?.split(' ') ?? [])
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) brands.set([])
  })
  return brands
})

/**
 * Records that the user enters this brand for the first time. Default: the brand that is opened next. The record lasts until `endFirstEntry` in this
 * brand or a sign-out, and at most as long as the tab.
 */
export function recordFirstEntry(device: Device, brandId = nextBrand): void {
  enteredBrands(device).set(storeEntered(device, [...enteredBrands(device).get(), brandId]))
}

/**
 * Records that the user enters a brand that the user has just created. The page is then reloaded, and asks for the user's name only after that.
 */
export function recordFirstEntryAfterReload(device: Device, brandId: string): void {
  storeEntered(device, [...enteredBrands(device).get(), brandId])
}

/** Records that the user has entered a name for colleagues of the active brand, or has declined to enter one. */
export function endFirstEntry(device: Device): void {
  const { brandId } = activeBrandState(device).get()
  const others = enteredBrands(device)
    .get()
    .filter((each) => each !== nextBrand && each !== brandId)
  enteredBrands(device).set(storeEntered(device, others))
}

/**
 * Whether the user has just joined or created the active brand, and colleagues still see no name or the first part of the user's email
 * address as the name. False after the user has declined to give a name.
 */
export function useIsNameless(): boolean {
  const device = useDevice()
  const brands = useObservable(enteredBrands(device))
  const { brandId } = useObservable(activeBrandState(device))
  const { session } = useObservable(sessionState(device))
  const name = useMemberNames().get(session?.userId ?? '')
  const hasEntered = brands.includes(nextBrand) || (brandId !== null && brands.includes(brandId))
  return hasEntered && session !== null && (name === undefined || name === session.email.split('@')[0])
}

function storeEntered(device: Device, brands: readonly string[]): readonly string[] {
  if (brands.length === 0) device.tabStorage?.removeItem(storageKey)
  else device.tabStorage?.setItem(storageKey, brands.join(' '))
  return brands
}
