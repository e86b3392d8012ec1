/** How often properties are tried: `PROPERTY_EFFORT=20 npx vitest run test/properties` looks harder. */
export const effort = Number(process.env.PROPERTY_EFFORT ?? 1);
