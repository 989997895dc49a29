"""The settings of payments."""

from decimal import Decimal

from pydantic import BaseModel, Field, SecretStr, ValidationInfo, field_validator


class PaymentSettings(BaseModel):
    """The payment provider, the free credits of new accounts, and the seller named on receipts."""

    stripe_secret_key: SecretStr | None = Field(default=None, description="a secret key of Stripe, sk_… or rk_…")
    stripe_webhook_secret: SecretStr | None = Field(
        default=None, validate_default=True, description="the signing secret of Stripe's webhook endpoint, whsec_…"
    )
    stripe_url: str = Field(default="https://api.stripe.com", description="the address of Stripe's API")
    stripe_checkout_url: str = Field(
        default="https://checkout.stripe.com", description="the address of Stripe's payment pages"
    )
    demo_payments: bool | None = Field(
        default=None,
        description="1 or 0: a payment page that moves no money, never together with STRIPE_SECRET_KEY",
    )
    welcome_credits: Decimal = Field(
        default=Decimal(5), ge=0, le=1000, decimal_places=2, description="0 to 1000, with at most two decimals"
    )
    seller: str = Field(
        default="Brightlist",
        min_length=1,
        max_length=1000,
        description="who sells the credits, as receipts say it: lines with | between them, up to 1000 characters",
    )

    @field_validator("stripe_webhook_secret")
    @classmethod
    def _check_stripe_secrets(cls, secret: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (secret is None) != (info.data.get("stripe_secret_key") is None):
            raise ValueError("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET need each other")
        return secret

    @field_validator("demo_payments")
    @classmethod
    def _check_demo(cls, wanted: bool | None, info: ValidationInfo) -> bool | None:
        if wanted and info.data.get("stripe_secret_key") is not None:
            raise ValueError("it must not be on beside STRIPE_SECRET_KEY")
        return wanted

    @property
    def seller_lines(self) -> tuple[str, ...]:
        """The seller's name and address, as lines."""
        return tuple(line.strip() for line in self.seller.split("|"))
