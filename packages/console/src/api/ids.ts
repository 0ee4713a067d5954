export const PRODUCT_ID = /^[1-9][0-9]{13}$/;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
