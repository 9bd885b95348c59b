/** The columns of a deal's amount. They make sense only together: an edit, an undo and a decision about a conflict apply to both. */
export const amountFields: readonly string[] = ['amount', 'amount_currency']
