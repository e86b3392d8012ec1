import { addUp } from 'ledger';

console.log(addUp([{ side: 'debit', amount: 3 }, null]));
