/**
 * Removes the preferences of a user from this device: all values of localStorage whose key contains the user's id, such as the
 * currency of the last deal.
 */
export function removePreferences(userId: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.includes(userId)) localStorage.removeItem(key)
  } catch {
    // Without storage, nothing was stored.
  }
}
